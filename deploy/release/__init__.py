"""What a release of kraftpy is made of, and how it is made from a tagged commit.

Purpose: a source distribution and a wheel that anyone can build again to the same bytes, a list of what they contain
(SBOM), checksums, and a signature of these. Must not: upload anything, or change the repository.

Reading order: ``checks`` (whether a commit may be released), ``artifacts`` (the files), ``__main__``.
"""

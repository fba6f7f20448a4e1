"""The compiled form of kraftpy: the same typed sources, with the hot modules as machine code.

``make compiled`` runs mypyc and a C compiler and leaves the form in ``build/compiled``: a copy of the package with an
extension module beside each source that is compiled. Python prefers the extension, so a process with ``build/compiled``
before the checkout on its path runs the compiled form, and any other the sources; nothing compiled is ever in
the source tree, where it would hide what is edited. Nothing needs the compiled form, and no source is written twice.

Reading order: ``modules`` (what is compiled, and why), ``build`` (how). ``deploy/wheel/hook.py`` has it inside a wheel.
"""

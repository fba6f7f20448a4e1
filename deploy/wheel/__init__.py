"""What a wheel has that is no file of the checkout: the commit that it was built from, and the compiled form.

Reading order: ``commit`` (which one it is), ``hook`` (what hatchling asks while it builds a wheel).
"""

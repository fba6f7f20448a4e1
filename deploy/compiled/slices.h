/* A slice of bytes that ends before it begins is empty, in Python. mypyc 2.4.1 passes the difference on as a size, and
 * what came of hostile input would be a SystemError where our readers expect nothing, and refuse it. So its bytes_ops.c is
 * compiled with this before it. */
#include <Python.h>
#define PyBytes_FromStringAndSize(text, size) PyBytes_FromStringAndSize((text), Py_MAX((size), 0))

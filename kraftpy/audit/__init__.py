"""The auditor's room: an independent witness of what the log says.

It may share ``records`` (bytes to values) with the service and nothing else: an auditor that shares the code shares the
bug. Nothing of it is built yet; the room stands here so that its import contract holds from the first line.
"""

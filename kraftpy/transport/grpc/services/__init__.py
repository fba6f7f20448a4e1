"""The services of the public API: each method translates, asks the backend, and translates back."""

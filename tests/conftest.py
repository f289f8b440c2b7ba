"""What every test of the suite shares."""

import os

from hypothesis import settings

# The machines that run the suite are small and shared: a slow example is not a wrong one. The suite gives the same
# answer every time; CROUPIER_HYPOTHESIS=search looks for what nobody has seen yet.
settings.register_profile("suite", deadline=None, print_blob=True, derandomize=True)
settings.register_profile("search", deadline=None, print_blob=True)
settings.load_profile(os.environ.get("CROUPIER_HYPOTHESIS", "suite"))

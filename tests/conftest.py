"""What every test of the suite shares."""

from hypothesis import settings

# The machines that run the suite are small and shared: a slow example is not a wrong one.
settings.register_profile("suite", deadline=None, print_blob=True)
settings.load_profile("suite")

export default {
  title: 'Page not found',
  text: 'There’s nothing at this address. The page may have moved, or the link may be incomplete.',
  zoneTitle: 'Zones can’t be reached this way',
  zoneText: 'A zone can’t be opened directly at this address. Open it from the list of zones shared with you.',
  zoneRedirectShared: 'You’ll be taken to the zones shared with you in 3 seconds.',
  zoneRedirectLogin: 'You’ll be taken to the sign-in page in 3 seconds.',
  home: 'Home Page',
  dashboard: 'Dashboard',
  shared: 'Shared with Me',
  login: 'Sign In',
};

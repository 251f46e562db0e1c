export default {
  title: 'Page not found',
  text: 'There is nothing at this address. It may have been moved, or the link may be incomplete.',
  zoneTitle: 'Zones cannot be reached this way',
  zoneText: 'A zone cannot be opened directly at this address. Open it from the list of zones shared with you.',
  zoneRedirectShared: 'You will be taken to the zones shared with you in 3 seconds.',
  zoneRedirectLogin: 'You will be taken to the sign-in page in 3 seconds.',
  home: 'Home page',
  dashboard: 'Dashboard',
  shared: 'Shared with Me',
  login: 'Sign In',
};

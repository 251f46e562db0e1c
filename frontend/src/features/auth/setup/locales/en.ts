export default {
  step: 'Step {{at}} of {{count}}',
  account: {
    title: 'Set Up Your Installation',
    text: 'Your account comes first. It is super admin: it looks after people, plans and everything else here.',
    firstName: 'First name',
    lastName: 'Last name',
    email: 'Email',
    emailHelp: 'You sign in with it. No email is sent to it now.',
    usernameHelp: 'Proposed from your address. Letters, digits and underscores.',
    password: 'Password',
    submit: 'Create Account',
    done: 'Your installation is yours',
    doneText: 'You are signed in as its super admin.',
    failed: 'The account could not be made',
    taken: 'This address has an account already. Take another one, or make that account super admin in a terminal.',
  },
  closed: {
    title: 'This setup address no longer works',
    text: 'It works once, for an hour after the start, and only while nobody is super admin here.',
    signIn: 'If you are super admin already, sign in.',
    again:
      'If nobody is yet, start Zonary again: a new address is printed. Or make the account in a terminal, where Zonary is installed:',
    command: 'npm run admin -- create you@example.org',
    toSignIn: 'Go to Sign-In',
  },
};

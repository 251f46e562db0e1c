export default {
  step: 'Step {{at}} of {{count}}',
  account: {
    title: 'Set Up Your Site',
    text: 'First, create your account. It’s a super admin: it manages people, plans and everything else here.',
    firstName: 'First name',
    lastName: 'Last name',
    email: 'Email',
    emailHelp: 'You’ll use it to sign in. Nothing is sent to it now.',
    usernameHelp: 'Suggested from your email address. Letters, digits and underscores.',
    password: 'Password',
    submit: 'Create Account',
    done: 'Your site is ready',
    doneText: 'You’re signed in as its super admin.',
    failed: 'Couldn’t create the account',
    taken:
      'This email address already has an account. Use another one, or make that account super admin in a terminal.',
  },
  continue: 'Save and Continue',
  skip: 'Skip',
  later: 'Later',
  finish: 'Finish',
  failed: 'Couldn’t save your changes',
  purpose: {
    title: 'What Is This Site For?',
    text: 'Choose its purpose, name and address.',
    later:
      'You can change all of this later under Super Admin → Site. If you skip this step, the site is a service for other creators.',
  },
  mail: {
    title: 'Email',
    text: 'How invitations, sign-in links and campaigns reach people. You can start without it.',
    sender: 'Sender',
    saveSender: 'Save Sender',
    senderSaved: 'Sender saved',
    later: 'Until then, emails are kept on this server. You can set this up later under Super Admin → Site.',
  },
  done: {
    title: 'This site is already set up',
    text: 'You’re its super admin. You can change its settings in the administration.',
    toSettings: 'Go to the Settings',
  },
  closed: {
    title: 'This setup address no longer works',
    text: 'It works once, within an hour of the start, and only while this site has no super admin.',
    signIn: 'If you’re already a super admin, sign in.',
    again:
      'If there’s no super admin yet, restart Zonary to get a new address. Or create the account in a terminal where Zonary is installed:',
    command: 'npm run admin -- create you@example.org',
    toSignIn: 'Go to Sign-In',
  },
};

/** Texts of the fields that several account forms share. */
export default {
  username: {
    label: 'Username',
    help: '3 to 30 letters, digits and underscores.',
    checking: 'Checking…',
    failed: 'Error checking username',
  },
};

/** Texts of the fields that several account forms share. */
export default {
  username: {
    label: 'Username',
    help: '3 to 30 letters, digits and underscores.',
    checking: 'Checking…',
    failed: 'Error checking username',
  },
  strength: {
    help: 'At least 8 characters.',
    weak: 'Easy to guess.',
    good: 'Good password.',
    strong: 'Strong password.',
    advice: 'Take several words that do not belong together.',
    reasons: {
      common: 'It is one of the passwords that everybody tries first.',
      similar: 'It is much like a password that many people use.',
      own: 'It contains your name, your address or the name of this service.',
      word: 'A single word is found quickly.',
      name: 'Names are found quickly.',
      date: 'Dates are found quickly.',
      year: 'Years are found quickly.',
      keyboard: 'Keys that lie side by side are found quickly.',
      repeat: 'Repeating the same characters adds little.',
      sequence: 'Sequences such as “abc” or “123” are found quickly.',
      guessable: 'It is too short or made of what is easy to find.',
    },
  },
};

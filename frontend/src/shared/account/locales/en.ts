/** Texts of the fields that several account forms share. */
export default {
  username: {
    label: 'Username',
    help: '3 to 30 characters: letters, digits and underscores.',
    checking: 'Checking…',
    failed: 'Error checking username',
  },
  strength: {
    help: 'At least 8 characters.',
    weak: 'Easy to guess.',
    good: 'Good password.',
    strong: 'Strong password.',
    advice: 'Use several words that aren’t related.',
    reasons: {
      common: 'It’s one of the first passwords that attackers try.',
      similar: 'It’s very similar to a common password.',
      own: 'It contains your name, your email address or the name of this service.',
      word: 'A single word is easy to guess.',
      name: 'Names are easy to guess.',
      date: 'Dates are easy to guess.',
      year: 'Years are easy to guess.',
      keyboard: 'Keys next to each other are easy to guess.',
      repeat: 'Repeated characters add little strength.',
      sequence: 'Sequences such as “abc” or “123” are easy to guess.',
      guessable: 'It’s too short or made of parts that are easy to guess.',
    },
  },
};

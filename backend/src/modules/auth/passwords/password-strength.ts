/*
 * Decides whether a password is strong enough. The frontend runs this same file while a password is typed, to give the
 * server's verdict early. So neither this file nor the word lists beside it may import server code.
 */

/** On a scale of 0 to 4. Below 3 (100 million guesses), someone who has the hash finds the password within hours. */
const MIN_SCORE = 3;
/**
 * Evaluated characters. The work grows with the square of the length and blocks the process (24 characters take up to
 * 22 ms of CPU, 40 take 72 ms, 100 took seconds). A password with a strong beginning is strong.
 */
const MAX_EVALUATED_LENGTH = 24;
/** Shorter names occur in too many words to be rejected. */
const MIN_NAME_LENGTH = 3;
/**
 * Names up to this length are rejected only as separate words or next to a digit ("ankaraali1987"). Inside other words
 * they are chance, and users would not see why "italian coffee evaluates" is rejected for Ali or Eva, or "market" for
 * Mark. Longer names are rejected anywhere.
 */
const MAX_WHOLE_WORD_NAME_LENGTH = 4;
/** Letters and digits that a password must contain besides its owner's personal words. */
const MIN_OTHER_CHARACTERS = 5;
/** Substitutions of digits and symbols by letters (l33t) that are tried per password. */
const MAX_LEET_SUBSTITUTIONS = 16;

/** The future owner of the password. None of these words makes it stronger. */
export interface PasswordOwner {
  readonly email?: string | null;
  readonly firstName?: string | null;
  readonly lastName?: string | null;
  readonly username?: string | null;
}

/** The estimator of `createEstimatorOptions`, and the passwords that attackers try first. */
export interface PasswordEvaluationContext {
  readonly estimator: {
    check(
      password: string,
      words: string[],
    ): { readonly score: number; readonly feedback: { readonly warning: string | null } };
  };
  /** In lower case. */
  readonly common: ReadonlySet<string>;
}

export interface PasswordEvaluation {
  /** Why the password is rejected: too common, contains personal data, or easy to guess. */
  readonly rejection: 'common' | 'own' | 'weak' | null;
  /** 0 to 4. From 3 the password is strong enough if nothing else is wrong. */
  readonly score: number;
  /** The estimator's identifier for the weakness, if it has one. */
  readonly warning: string | null;
}

type Dictionary = Record<string, (string | number)[]>;

/** Builds the options for the estimator of `@zxcvbn-ts/core`. */
export function createEstimatorOptions<Graphs>(
  library: { dictionaries: readonly Dictionary[]; graphs: Graphs },
  words: { turkish: readonly string[]; common: ReadonlySet<string> },
) {
  // Also as typed on a keyboard without Turkish letters.
  const turkish = [...new Set(words.turkish.flatMap((word) => [word, toPlainLetters(word)]))];
  const dictionary: Dictionary = Object.assign({}, ...library.dictionaries, {
    'passwords-tr': turkish,
    'passwords-known': [...words.common],
  });
  return {
    dictionary,
    graphs: library.graphs,
    maxLength: MAX_EVALUATED_LENGTH,
    l33tMaxSubstitutions: MAX_LEET_SUBSTITUTIONS,
  };
}

/**
 * Evaluates a password.
 * @param owner as far as known
 * @param appName the product's name, which counts as a personal word
 */
export function evaluatePassword(
  context: PasswordEvaluationContext,
  password: string,
  owner: PasswordOwner,
  appName: string,
): PasswordEvaluation {
  if (context.common.has(password.toLowerCase())) return { rejection: 'common', score: 0, warning: null };
  const words = collectPersonalWords(owner, appName);
  if (containsPersonalData(owner, appName, password) || consistsOfPersonalWords(words, password))
    return { rejection: 'own', score: 0, warning: null };
  const { score, feedback } = context.estimator.check(password.slice(0, MAX_EVALUATED_LENGTH), words);
  return { rejection: score < MIN_SCORE ? 'weak' : null, score, warning: feedback.warning };
}

function collectPersonalWords({ email, firstName, lastName, username }: PasswordOwner, appName: string): string[] {
  const texts = [email, firstName, lastName, username, appName].filter((text) => text != null);
  const parts = texts.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)]);
  return [...new Set(parts.map((part) => part.toLowerCase()).filter((part) => part.length > 2))];
}

/** Returns true if the password contains a name, the username, the address's local part or the product's name. */
function containsPersonalData(
  { email, firstName, lastName, username }: PasswordOwner,
  appName: string,
  password: string,
): boolean {
  const names = [firstName, lastName].flatMap((name) => name?.split(/[^\p{L}\p{N}]+/u) ?? []);
  const personalTexts = [...names, firstName, lastName, username, appName, email?.split('@')[0]];
  // Splits camel case: "ankaraAli1987" counts as several words.
  const words = toPlainLetters(password.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' '));
  const folded = toPlainLetters(password);
  return personalTexts.some((text) => {
    const name = toPlainLetters(text?.trim() ?? '');
    if (name.length > MAX_WHOLE_WORD_NAME_LENGTH) return folded.includes(name);
    return name.length >= MIN_NAME_LENGTH && (containsAsWord(folded, name) || containsAsWord(words, name));
  });
}

/** Returns true if the name occurs with no letter on either side, or with a digit on at least one side. */
function containsAsWord(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const neighbours = [text[at - 1] ?? '', text[at + name.length] ?? ''];
    if (!neighbours.some((letter) => /\p{L}/u.test(letter)) || neighbours.some((sign) => /\p{N}/u.test(sign)))
      return true;
  }
  return false;
}

/** Returns true if hardly anything remains of the password without its owner's personal words. */
function consistsOfPersonalWords(words: readonly string[], password: string): boolean {
  const longestFirst = words.map(toPlainLetters).sort((a, b) => b.length - a.length);
  const remainder = longestFirst.reduce((left, word) => left.replaceAll(word, ''), toPlainLetters(password));
  return remainder.replace(/[^\p{L}\p{N}]/gu, '').length < MIN_OTHER_CHARACTERS;
}

const PLAIN_LETTERS: Record<string, string> = {
  â: 'a',
  ç: 'c',
  ğ: 'g',
  ı: 'i',
  î: 'i',
  ö: 'o',
  ş: 's',
  û: 'u',
  ü: 'u',
};

/**
 * Returns the text in lower case without Turkish diacritics. "İ" lower-cases to a letter plus a combining mark, and
 * some keyboards produce all diacritics as combining marks.
 */
const toPlainLetters = (text: string): string =>
  text
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[âçğıîöşûü]/g, (letter) => PLAIN_LETTERS[letter]!);

/*
 * What decides whether a password is strong enough. The page runs this same file while a password is typed, so that it
 * says what the server will say: nothing of the server may be imported here, nor by the lists of words beside it.
 */

/** Of 0 to 4. Below 3 (a hundred million guesses) a password is found in hours by who got hold of its digest. */
const MIN_SCORE = 3;
/**
 * What is looked at. The work grows with the square of the length and blocks the process meanwhile (24 characters take at
 * most 22 ms of a processor, 40 take 72 ms, 100 took seconds); what is strong by its beginning is strong.
 */
const MAX_EVALUATED_LENGTH = 24;
/** Shorter names stand in too many words to be refused. */
const MIN_NAME_LENGTH = 3;
/**
 * Names up to here are refused as words of their own only, or beside a digit ("ankaraali1987"): inside of other words they
 * are chance, and people would not see why "italian coffee evaluates" is none for Ali or Eva, nor "market" for Mark.
 * Longer ones are refused wherever they stand.
 */
const MAX_WHOLE_WORD_NAME_LENGTH = 4;
/** Letters and digits that a password must have beside the words of its person. */
const MIN_OTHER_CHARACTERS = 5;
/** Readings of digits and signs as letters that are tried for one password. */
const MAX_LEET_SUBSTITUTIONS = 16;

/** Whose password it is to be: none of these words makes it stronger. */
export interface PasswordOwner {
  readonly email?: string | null;
  readonly firstName?: string | null;
  readonly lastName?: string | null;
  readonly username?: string | null;
}

/** What judging takes: the estimator of `createEstimatorOptions`, and the passwords that attackers try first. */
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
  /** Why it would not be taken: one that everybody tries, with what is known of its person in it, or easy to guess. */
  readonly rejection: 'common' | 'own' | 'weak' | null;
  /** 0 to 4; from 3 on it is strong enough, where nothing else is wrong. */
  readonly score: number;
  /** The estimator's name for what makes it weak, where it has one. */
  readonly warning: string | null;
}

type Dictionary = Record<string, (string | number)[]>;

/** How the estimator of `@zxcvbn-ts/core` is to be made. */
export function createEstimatorOptions<Graphs>(
  library: { dictionaries: readonly Dictionary[]; graphs: Graphs },
  words: { turkish: readonly string[]; common: ReadonlySet<string> },
) {
  // Also as people type them on a keyboard without Turkish letters.
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
 * Judges a password.
 * @param owner as far as it is known
 * @param appName the product's name, which is no better than the person's own
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

/** True when a name of the person or of the product, their user name or their address stands in the password. */
function containsPersonalData(
  { email, firstName, lastName, username }: PasswordOwner,
  appName: string,
  password: string,
): boolean {
  const names = [firstName, lastName].flatMap((name) => name?.split(/[^\p{L}\p{N}]+/u) ?? []);
  const personalTexts = [...names, firstName, lastName, username, appName, email?.split('@')[0]];
  // "ankaraAli1987" is three words: people write so where no space may be.
  const words = toPlainLetters(password.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' '));
  const folded = toPlainLetters(password);
  return personalTexts.some((text) => {
    const name = toPlainLetters(text?.trim() ?? '');
    if (name.length > MAX_WHOLE_WORD_NAME_LENGTH) return folded.includes(name);
    return name.length >= MIN_NAME_LENGTH && (containsAsWord(folded, name) || containsAsWord(words, name));
  });
}

/** True when a name stands somewhere with no letter before or behind it, or with a digit at one of its ends. */
function containsAsWord(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const neighbours = [text[at - 1] ?? '', text[at + name.length] ?? ''];
    if (!neighbours.some((letter) => /\p{L}/u.test(letter)) || neighbours.some((sign) => /\p{N}/u.test(sign)))
      return true;
  }
  return false;
}

/** True when hardly anything is left of a password without the words of its person. */
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
 * A text in lower case without the marks of Turkish letters. "İ" becomes a letter with its mark behind it, and some
 * keyboards write all marks so.
 */
const toPlainLetters = (text: string): string =>
  text
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[âçğıîöşûü]/g, (letter) => PLAIN_LETTERS[letter]!);

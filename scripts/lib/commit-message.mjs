const MAX_SUBJECT_LENGTH = 72;

/** Subjects that git or a forge writes itself. */
const GENERATED = /^(Merge|Revert|fixup!|squash!|amend!)\b/;

/**
 * Compares a commit message with the rules in CONTRIBUTING.md.
 * @param {string} message as git passes it to the hook, with its comment lines
 * @returns {string[]} one sentence per broken rule; empty if there is none
 */
export function checkCommitMessage(message) {
  const [subject = '', second = ''] = message.split(/\r?\n/).filter((line) => !line.startsWith('#'));
  if (GENERATED.test(subject)) return [];
  const warnings = [];
  const { length } = [...subject];
  if (length > MAX_SUBJECT_LENGTH)
    warnings.push(`the subject has ${length} characters; the limit is ${MAX_SUBJECT_LENGTH}.`);
  if (/^\p{Ll}/u.test(subject)) warnings.push('the subject starts with a capital letter.');
  if (/\.\s*$/.test(subject)) warnings.push('the subject does not end with a full stop.');
  if (second.trim() !== '') warnings.push('a blank line separates the subject from the rest.');
  return warnings;
}

import { getMetadataStorage } from 'class-validator';
import '../../src/app.module.js';

interface Rule {
  readonly target: { name: string };
  readonly propertyName: string;
  readonly type: string;
  readonly name?: string;
  readonly each: boolean;
  readonly message?: unknown;
}

/** Validators that a missing value violates as much as one of another type. */
const ofTexts = ['maxLength', 'minLength', 'matches', 'isIn', 'isLength'];

const CONDITIONAL = 'conditionalValidation';

describe('Required text field', () => {
  const storage = getMetadataStorage() as unknown as { validationMetadatas: Map<unknown, Rule[]> };
  const fields = new Map<string, { rule: string; said: string }[]>();
  for (const rules of storage.validationMetadatas.values()) {
    for (const { target, propertyName, type, name, each, message } of rules) {
      if (each || type === 'whitelistValidation') continue;
      const field = `${target.name}.${propertyName}`;
      fields.set(field, [
        ...(fields.get(field) ?? []),
        { rule: type === CONDITIONAL ? type : (name ?? type), said: String(message) },
      ]);
    }
  }
  // Optional fields are never reported as missing.
  const texts = [...fields].filter(
    ([, rules]) => rules.some(({ rule }) => rule === 'isString') && !rules.some(({ rule }) => rule === CONDITIONAL),
  );

  it('is found by this test', () => expect(texts.length).toBeGreaterThan(30));

  it.each(texts)('%s reports a missing value as missing', (_, rules) => {
    const { said } = rules.find(({ rule }) => rule === 'isString')!;
    const [first] = rules;
    if (ofTexts.includes(first!.rule)) expect(first!.said).toBe(said);
  });
});

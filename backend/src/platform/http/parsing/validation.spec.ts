import type { ValidationError } from 'class-validator';
import { MissingMessage, validationError } from './validation.js';

const numbered = (count: number, made: (index: number) => ValidationError) =>
  Array.from({ length: count }, (_, index) => made(index));
const unknown = (property: string): ValidationError => ({ property, constraints: { whitelistValidation: 'no' } });
const wrong = (property: string): ValidationError => ({ property, value: 7, constraints: { isString: 'no' } });
const fieldsOf = (errors: ValidationError[]) => Object.keys(validationError(errors).details.errors!);

@MissingMessage('Please fill in both.', 'Lütfen ikisini de doldurun.')
class Pair {}
class LongPair extends Pair {}

describe('Validation error message', () => {
  const messageOf = (value: unknown, target: object) =>
    validationError([{ property: 'one', value, target, constraints: { isString: 'no' } }]).sentence.en;

  it.each([undefined, null, ''])('is that of the DTO when a field is missing: %j', (value) => {
    expect(messageOf(value, new Pair())).toBe('Please fill in both.');
    expect(messageOf(value, new LongPair())).toBe('Please fill in both.');
  });

  it('is generic for an invalid field or a DTO without a message', () => {
    expect(messageOf(7, new Pair())).toBe('Some fields need your attention.');
    expect(messageOf('', {})).toBe('Some fields need your attention.');
  });
});

describe('Validation errors', () => {
  it('name at most twenty unknown fields in all, and every known one', () => {
    const objects = numbered(50, (index) => ({
      property: String(index),
      children: [...numbered(15, (field) => unknown(`x${field}`)), wrong('name')],
    }));
    const named = fieldsOf([{ property: 'items', children: objects }]);
    expect(named.filter((field) => field.includes('.x'))).toEqual([
      ...numbered(15, (field) => unknown(`items.0.x${field}`)).map(({ property }) => property),
      ...numbered(5, (field) => unknown(`items.1.x${field}`)).map(({ property }) => property),
    ]);
    expect(named.filter((field) => field.endsWith('.name'))).toHaveLength(50);
  });

  it('name at most a hundred fields, counting nested ones equally', () => {
    const inner = numbered(70, (index) => ({ property: `in${index}`, children: [wrong('a')] }));
    const named = fieldsOf([...numbered(60, (index) => wrong(`out${index}`)), ...inner]);
    expect(named).toHaveLength(100);
    expect(named.slice(58, 62)).toEqual(['out58', 'out59', 'in0.a', 'in1.a']);
  });
});

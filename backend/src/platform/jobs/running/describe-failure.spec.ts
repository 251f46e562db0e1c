import { AppError } from '../../errors/app-error.js';
import { describeFailure } from './describe-failure.js';

describe('describeFailure', () => {
  it('keeps type and codes of mail and driver errors without the message', () => {
    const rejected = Object.assign(new Error('550 5.1.1 <mary@example.com> user unknown'), {
      code: 'EENVELOPE',
      responseCode: 550,
      command: 'RCPT TO',
    });
    expect(describeFailure(rejected)).toBe('Error: code=EENVELOPE responseCode=550 command=RCPT TO');
  });

  it('keeps our own message without addresses, tokens and numbers', () => {
    const error = new TypeError(
      'No mary@example.com at https://zonary.test/join/abc, 3f9a8b7c6d5e4f3a2b1c0d, 123456\nsecond',
    );
    expect(describeFailure(error)).toBe('TypeError: No [e-mail] at [address] [token], [number]');
  });

  it('keeps the code of an application error', () => {
    expect(describeFailure(new AppError(409, 'ZONE_FULL', { en: 'Full', tr: 'Dolu' }))).toBe('ZONE_FULL');
  });

  it('limits the length and handles values that are not errors', () => {
    expect(describeFailure(new Error('word '.repeat(200))).length).toBe(300);
    expect(describeFailure('mary@example.com')).toBe('string');
  });
});

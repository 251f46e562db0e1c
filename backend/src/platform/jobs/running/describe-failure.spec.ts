import { AppError } from '../../errors/app-error.js';
import { describeFailure } from './describe-failure.js';

describe('what is kept of a failure', () => {
  it('is the kind and the codes, not the text, when a mail server or a driver failed', () => {
    const refused = Object.assign(new Error('550 5.1.1 <mary@example.com> user unknown'), {
      code: 'EENVELOPE',
      responseCode: 550,
      command: 'RCPT TO',
    });
    expect(describeFailure(refused)).toBe('Error: code=EENVELOPE responseCode=550 command=RCPT TO');
  });

  it('is our own text without addresses, tokens and codes', () => {
    const error = new TypeError(
      'No mary@example.com at https://zonary.test/join/abc, 3f9a8b7c6d5e4f3a2b1c0d, 123456\nsecond',
    );
    expect(describeFailure(error)).toBe('TypeError: No [e-mail] at [address] [token], [number]');
  });

  it('is the code of an error that we answer with', () => {
    expect(describeFailure(new AppError(409, 'ZONE_FULL', { en: 'Full', tr: 'Dolu' }))).toBe('ZONE_FULL');
  });

  it('stays short, and copes with what is no error', () => {
    expect(describeFailure(new Error('word '.repeat(200))).length).toBe(300);
    expect(describeFailure('mary@example.com')).toBe('string');
  });
});

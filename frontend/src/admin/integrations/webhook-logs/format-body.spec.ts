import { formatBody } from './format-body';

describe('formatBody', () => {
  it('indents JSON and leaves other bodies unchanged', () => {
    expect(formatBody('{"id":7,"lines":[1]}')).toBe('{\n  "id": 7,\n  "lines": [\n    1\n  ]\n}');
    expect(formatBody('webhook_id=7')).toBe('webhook_id=7');
  });

  it.each([101, 4000, 400_000])('leaves JSON nested %d levels deep unchanged', (levels) => {
    const body = '['.repeat(levels) + ']'.repeat(levels);
    expect(formatBody(body)).toBe(body);
  });
});

import { formatBody } from './format-body';

describe('the body of a delivery, as it is shown', () => {
  it('is JSON in lines, and anything else as it came', () => {
    expect(formatBody('{"id":7,"lines":[1]}')).toBe('{\n  "id": 7,\n  "lines": [\n    1\n  ]\n}');
    expect(formatBody('webhook_id=7')).toBe('webhook_id=7');
  });

  it.each([101, 4000, 400_000])(
    'is as it came when it is nested %d deep: in lines it would be far too long',
    (levels) => {
      const body = '['.repeat(levels) + ']'.repeat(levels);
      expect(formatBody(body)).toBe(body);
    },
  );
});

import { removeInvisible, removeJoiners } from './invisible-characters.js';

describe('removeInvisible', () => {
  it.each([
    ['Persian with ZWNJ', 'می\u200cخواهم'],
    ['Hindi with ZWJ', 'क्\u200dष'],
    ['Malayalam that ends with ZWJ', 'അവന്\u200d'],
    ['Sinhala', 'ශ්\u200dරී'],
    ['a family emoji', '👩\u200d👩\u200d👧\u200d👦'],
    ['skin tones', '👩🏽\u200d🚀'],
    ['a heart on fire', '❤\ufe0f\u200d🔥'],
    ['a keycap', '1\ufe0f\u20e3'],
    ['the flag of England', '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'],
  ])('keeps %s', (_, text) => expect(removeInvisible(text)).toBe(text));

  it.each([
    ['between Latin letters', 'ev\u200dil', 'evil'],
    ['between Cyrillic letters', 'ми\u200cр', 'мир'],
    ['after a Latin letter with a combining mark', 'e\u0301\u200dx', 'e\u0301x'],
    ['at the ends', '\u200dمی\u200c', 'می'],
    ['beside spaces', 'می\u200c خواهم', 'می خواهم'],
    ['after an emoji', '👩\u200d', '👩'],
    ['zero-width spaces and soft hyphens', 'a\u200bb\u00adc\u2060d', 'abcd'],
    ['bidirectional control characters', 'a\u202eb\u2066c', 'abc'],
    ['tags without a flag', 'a\u{e0067}\u{e007f}', 'a'],
  ])('removes invisible characters: %s', (_, text, shown) => expect(removeInvisible(text)).toBe(shown));
});

describe('removeJoiners', () => {
  it('removes joiners everywhere', () => expect(removeJoiners('می\u200cخواهم क्\u200dष')).toBe('میخواهم क्ष'));
});

import { colorMode } from './color-mode';
import { chooseLanguage, rememberLanguage } from './language';

beforeEach(() => localStorage.clear());

describe('Page language', () => {
  it('prefers the user’s setting', () => {
    rememberLanguage('en');
    expect(chooseLanguage('tr', ['en-US'])).toBe('tr');
  });

  it('uses the browser’s stored choice when there is no setting', () => {
    rememberLanguage('tr');
    expect(chooseLanguage(null, ['en-US'])).toBe('tr');
  });

  it('falls back to the first supported browser language, then to English', () => {
    expect(chooseLanguage(null, ['de-DE', 'tr-TR', 'en'])).toBe('tr');
    expect(chooseLanguage(null, ['de-DE'])).toBe('en');
    expect(chooseLanguage('xx', [])).toBe('en');
  });

  it('keeps a signed-in user’s local choice until their setting changes', () => {
    rememberLanguage('tr', 'en');
    expect(chooseLanguage('en', ['en'])).toBe('tr');
    rememberLanguage('en', 'tr');
    expect(chooseLanguage('en', ['tr'])).toBe('en');
    expect(chooseLanguage('tr', ['tr'])).toBe('en');
  });
});

describe('Colour mode', () => {
  it('applies and stores the choice', () => {
    const changes: string[] = [];
    const stop = colorMode.subscribe(() => changes.push(colorMode.get()));
    colorMode.set('dark');
    expect(document.documentElement.dataset.theme).toBe('dark');
    expect(localStorage.getItem('zonary.colorMode')).toBe('dark');
    colorMode.set('system');
    expect(document.documentElement.dataset.theme).toBe('light');
    stop();
    colorMode.set('dark');
    expect(changes).toEqual(['dark', 'system']);
  });

  it('ignores invalid values', () => {
    colorMode.set('light');
    colorMode.set('sepia');
    expect(colorMode.get()).toBe('light');
  });
});

import { colorMode } from './color-mode';
import { chooseLanguage, rememberLanguage } from './language';

beforeEach(() => localStorage.clear());

describe('the language of the page', () => {
  it('is the setting of the person before everything else', () => {
    rememberLanguage('en');
    expect(chooseLanguage('tr', ['en-US'])).toBe('tr');
  });

  it('is what was chosen in this browser when there is no setting', () => {
    rememberLanguage('tr');
    expect(chooseLanguage(null, ['en-US'])).toBe('tr');
  });

  it("is the first of the browser's languages that we speak, else English", () => {
    expect(chooseLanguage(null, ['de-DE', 'tr-TR', 'en'])).toBe('tr');
    expect(chooseLanguage(null, ['de-DE'])).toBe('en');
    expect(chooseLanguage('xx', [])).toBe('en');
  });

  it('stays what a signed-in person chose here, until their setting changes', () => {
    rememberLanguage('tr', 'en');
    expect(chooseLanguage('en', ['en'])).toBe('tr');
    rememberLanguage('en', 'tr');
    expect(chooseLanguage('en', ['tr'])).toBe('en');
    expect(chooseLanguage('tr', ['tr'])).toBe('en');
  });
});

describe('light and dark', () => {
  it('follow the choice and remember it', () => {
    const heard: string[] = [];
    const stop = colorMode.subscribe(() => heard.push(colorMode.get()));
    colorMode.set('dark');
    expect(document.documentElement.dataset.theme).toBe('dark');
    expect(localStorage.getItem('zonary.colorMode')).toBe('dark');
    colorMode.set('system');
    expect(document.documentElement.dataset.theme).toBe('light');
    stop();
    colorMode.set('dark');
    expect(heard).toEqual(['dark', 'system']);
  });

  it('ignore what is no choice', () => {
    colorMode.set('light');
    colorMode.set('sepia');
    expect(colorMode.get()).toBe('light');
  });
});

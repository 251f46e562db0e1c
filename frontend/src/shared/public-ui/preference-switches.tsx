import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useLanguageChoice } from '../hooks/use-language-choice';
import { colorMode, colorModes, useColorMode } from '../preferences/color-mode';
import { languageNames, languages, type Language } from '../preferences/language';

/** Chooses the page's language and remembers it in this browser. */
export function LanguageSwitch() {
  const { t } = useTranslation();
  const [language, changeLanguage] = useLanguageChoice();
  const id = useId();
  return (
    <span className="z-select">
      <label htmlFor={id} className="z-visually-hidden">
        {t('preferences.language')}
      </label>
      <select id={id} value={language} onChange={(event) => changeLanguage(event.target.value as Language)}>
        {languages.map((code) => (
          <option key={code} value={code} lang={code}>
            {languageNames[code]}
          </option>
        ))}
      </select>
    </span>
  );
}

/** Chooses light, dark or the system's colours. */
export function ColorModeSwitch() {
  const { t } = useTranslation();
  const mode = useColorMode();
  const id = useId();
  return (
    <span className="z-select">
      <label htmlFor={id} className="z-visually-hidden">
        {t('preferences.theme')}
      </label>
      <select id={id} value={mode} onChange={(event) => colorMode.set(event.target.value)}>
        {colorModes.map((name) => (
          <option key={name} value={name}>
            {t(`preferences.modes.${name}`)}
          </option>
        ))}
      </select>
    </span>
  );
}

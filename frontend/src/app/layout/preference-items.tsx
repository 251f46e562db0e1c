import CheckRounded from '@mui/icons-material/CheckRounded';
import Box from '@mui/material/Box';
import MenuItem from '@mui/material/MenuItem';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useLanguageChoice } from '../../shared/hooks/use-language-choice';
import { colorMode, colorModes, useColorMode } from '../../shared/preferences/color-mode';
import { languageNames, languages } from '../../shared/preferences/language';

/** Language and colour scheme in the account menu. */
export function PreferenceItems() {
  const { t } = useTranslation();
  const [language, changeLanguage] = useLanguageChoice();
  const mode = useColorMode();
  return (
    <>
      <GroupLabel>{t('preferences.language')}</GroupLabel>
      {languages.map((code) => (
        <PreferenceOption key={code} isSelected={code === language} onSelect={() => changeLanguage(code)} lang={code}>
          {languageNames[code]}
        </PreferenceOption>
      ))}
      <GroupLabel>{t('preferences.theme')}</GroupLabel>
      {colorModes.map((name) => (
        <PreferenceOption key={name} isSelected={name === mode} onSelect={() => colorMode.set(name)}>
          {t(`preferences.modes.${name}`)}
        </PreferenceOption>
      ))}
    </>
  );
}

function GroupLabel({ children }: { children: ReactNode }) {
  return (
    <Box
      component="li"
      role="presentation"
      sx={{ px: 2, pt: 2, pb: 1, typography: 'caption', color: 'text.secondary' }}
    >
      {children}
    </Box>
  );
}

interface PreferenceOptionProps {
  isSelected: boolean;
  onSelect: () => void;
  lang?: string;
  children: ReactNode;
}

function PreferenceOption({ isSelected, onSelect, lang, children }: PreferenceOptionProps) {
  return (
    <MenuItem role="menuitemradio" aria-checked={isSelected} lang={lang} onClick={onSelect}>
      <CheckRounded sx={{ visibility: isSelected ? 'visible' : 'hidden' }} />
      {children}
    </MenuItem>
  );
}

import CheckRounded from '@mui/icons-material/CheckRounded';
import Box from '@mui/material/Box';
import MenuItem from '@mui/material/MenuItem';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useLanguageChoice } from '../../shared/hooks/use-language-choice';
import { colorMode, colorModes, useColorMode } from '../../shared/preferences/color-mode';
import { languageNames, languages } from '../../shared/preferences/language';

/** Language and appearance as choices inside the account menu. */
export function PreferenceItems() {
  const { t } = useTranslation();
  const [language, speak] = useLanguageChoice();
  const mode = useColorMode();
  return (
    <>
      <GroupName>{t('preferences.language')}</GroupName>
      {languages.map((code) => (
        <Choice key={code} chosen={code === language} onChoose={() => speak(code)} lang={code}>
          {languageNames[code]}
        </Choice>
      ))}
      <GroupName>{t('preferences.theme')}</GroupName>
      {colorModes.map((name) => (
        <Choice key={name} chosen={name === mode} onChoose={() => colorMode.set(name)}>
          {t(`preferences.modes.${name}`)}
        </Choice>
      ))}
    </>
  );
}

function GroupName({ children }: { children: ReactNode }) {
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

interface ChoiceProps {
  chosen: boolean;
  onChoose: () => void;
  lang?: string;
  children: ReactNode;
}

function Choice({ chosen, onChoose, lang, children }: ChoiceProps) {
  return (
    <MenuItem role="menuitemradio" aria-checked={chosen} lang={lang} onClick={onChoose}>
      <CheckRounded sx={{ visibility: chosen ? 'visible' : 'hidden' }} />
      {children}
    </MenuItem>
  );
}

import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormHelperText from '@mui/material/FormHelperText';
import Stack from '@mui/material/Stack';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSaveProfile } from '../../../../shared/account/use-save-profile';
import type { CurrentUser } from '../../../../shared/api/current-user';
import { useErrorText } from '../../../../shared/hooks/use-error-text';
import { useLanguageChoice } from '../../../../shared/hooks/use-language-choice';
import { characterKeys, useCharacterKeys } from '../../../../shared/preferences/character-keys';
import { languageNames, languages } from '../../../../shared/preferences/language';
import { toast } from '../../../../shared/toast/toast-store';
import { ChoiceField } from '../../../../shared/ui/fields/choice-field';
import { Section, SectionBody } from '../section';
import { TimeZoneField } from './time-zone-field';

/** Language, time zone and shortcuts. Each choice is saved immediately. */
export function RegionSection({ user }: { user: CurrentUser }) {
  const { t } = useTranslation('settings');
  const errorText = useErrorText();
  const [language, changeLanguage] = useLanguageChoice();
  const saveProfile = useSaveProfile();
  // Shows the new choice while it is being saved.
  const [selectedTimeZone, setSelectedTimeZone] = useState(user.timeZone);
  const saveTimeZone = (timeZone: string | null) => {
    setSelectedTimeZone(timeZone);
    saveProfile.mutate(
      { timeZone },
      {
        onSuccess: () => toast.success(t('region.saved')),
        onError: (error) => {
          setSelectedTimeZone(user.timeZone);
          toast.error(t('profile.failed'), errorText(error));
        },
      },
    );
  };
  return (
    <Section id="region" title={t('region.title')} text={t('region.text')}>
      <SectionBody>
        <Stack spacing={5}>
          <ChoiceField
            label={t('region.language')}
            value={language}
            options={languages.map((code) => ({ value: code, label: languageNames[code], lang: code }))}
            onChange={changeLanguage}
          />
          <TimeZoneField value={selectedTimeZone} onChange={saveTimeZone} />
          <CharacterKeysCheckbox />
        </Stack>
      </SectionBody>
    </Section>
  );
}

/** Turns single-character keyboard shortcuts on or off. */
function CharacterKeysCheckbox() {
  const { t } = useTranslation('settings');
  const helpId = useId();
  const areCharacterKeysEnabled = useCharacterKeys();
  return (
    <div>
      <FormControlLabel
        label={t('region.signs')}
        control={
          <Checkbox
            checked={areCharacterKeysEnabled}
            onChange={(event) => characterKeys.set(event.target.checked)}
            slotProps={{ input: { 'aria-describedby': helpId } }}
          />
        }
      />
      <FormHelperText id={helpId} sx={{ mx: 0 }}>
        {t('region.signsHelp')}
      </FormHelperText>
    </div>
  );
}

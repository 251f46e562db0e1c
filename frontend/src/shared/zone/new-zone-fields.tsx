import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { FieldProps } from '../forms/use-form';
import { FormField } from '../ui/fields/form-field';
import type { FirstZoneInput } from './use-create-first-zone';

const joinOptions = [
  { type: 'public', labelKey: 'anybody' },
  { type: 'private', labelKey: 'invited' },
] as const;

interface Props {
  name: FieldProps;
  type: string;
  onTypeChange: (type: FirstZoneInput['type']) => void;
  autoFocus?: boolean;
}

/** Name and access of the first zone, asked where a user without a zone wants to do something that needs one. */
export function NewZoneFields({ name, type, onTypeChange, autoFocus }: Props) {
  const { t } = useTranslation('newZone');
  const labelId = useId();
  return (
    <Stack spacing={4}>
      <Typography color="textSecondary">{t('text')}</Typography>
      <FormField {...name} label={t('name')} maxLength={255} autoComplete="off" autoFocus={autoFocus} />
      <div>
        <Typography id={labelId} variant="subtitle2">
          {t('who')}
        </Typography>
        <RadioGroup
          aria-labelledby={labelId}
          value={type}
          onChange={(event) => onTypeChange(event.target.value as FirstZoneInput['type'])}
        >
          {joinOptions.map((option) => (
            <FormControlLabel
              key={option.type}
              value={option.type}
              control={<Radio />}
              sx={{ alignItems: 'flex-start', mt: 2 }}
              label={<OptionLabel title={t(option.labelKey)} text={t(`${option.labelKey}Text`)} />}
            />
          ))}
        </RadioGroup>
        <Typography variant="body2" color="textSecondary" sx={{ mt: 3 }}>
          {t('later')}
        </Typography>
      </div>
    </Stack>
  );
}

function OptionLabel({ title, text }: { title: string; text: string }) {
  return (
    <>
      <Typography component="span" variant="subtitle2" sx={{ display: 'block', pt: 1.5 }}>
        {title}
      </Typography>
      <Typography component="span" variant="body2" color="textSecondary" sx={{ display: 'block' }}>
        {text}
      </Typography>
    </>
  );
}

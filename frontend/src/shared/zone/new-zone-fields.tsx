import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { FieldProps } from '../forms/use-form';
import { FormField } from '../ui/fields/form-field';
import type { NewZone } from './use-first-zone';

const ways = [
  { type: 'public', words: 'anybody' },
  { type: 'private', words: 'invited' },
] as const;

interface Props {
  name: FieldProps;
  type: string;
  onType: (type: NewZone['type']) => void;
  autoFocus?: boolean;
}

/** What the first zone is called and who may come in, asked where somebody without a zone wants to do something with one. */
export function NewZoneFields({ name, type, onType, autoFocus }: Props) {
  const { t } = useTranslation('newZone');
  const id = useId();
  return (
    <Stack spacing={4}>
      <Typography color="textSecondary">{t('text')}</Typography>
      <FormField {...name} label={t('name')} maxLength={255} autoComplete="off" autoFocus={autoFocus} />
      <div>
        <Typography id={id} variant="subtitle2">
          {t('who')}
        </Typography>
        <RadioGroup
          aria-labelledby={id}
          value={type}
          onChange={(event) => onType(event.target.value as NewZone['type'])}
        >
          {ways.map((way) => (
            <FormControlLabel
              key={way.type}
              value={way.type}
              control={<Radio />}
              sx={{ alignItems: 'flex-start', mt: 2 }}
              label={<Explained title={t(way.words)} text={t(`${way.words}Text`)} />}
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

function Explained({ title, text }: { title: string; text: string }) {
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

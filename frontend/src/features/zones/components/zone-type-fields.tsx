import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { Zone } from '../sort-zones';

const types = ['private', 'public'] as const;

interface Props {
  type: Zone['type'];
  requiresEmailOptin: boolean;
  onType: (type: Zone['type']) => void;
  onOptin: (required: boolean) => void;
}

/** Private or public, and what a public zone asks of those who join. */
export function ZoneTypeFields({ type, requiresEmailOptin, onType, onOptin }: Props) {
  const { t } = useTranslation('zones');
  const id = useId();
  return (
    <Box>
      <Typography id={id} variant="subtitle2" sx={{ mb: 1 }}>
        {t('form.type')}
      </Typography>
      <RadioGroup
        aria-labelledby={id}
        value={type}
        onChange={(event) => onType(event.target.value as Zone['type'])}
        sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}
      >
        {types.map((name) => (
          <Choice key={name} chosen={name === type}>
            <FormControlLabel
              value={name}
              control={<Radio />}
              label={<Explained title={t(`types.${name}`)} text={t(`form.${name}Text`)} />}
              sx={{ m: 0, alignItems: 'flex-start', height: '100%', p: 2, pr: 4 }}
            />
          </Choice>
        ))}
      </RadioGroup>
      {type === 'public' && (
        <FormControlLabel
          control={<Checkbox checked={requiresEmailOptin} onChange={(event) => onOptin(event.target.checked)} />}
          label={
            <Explained title={t('form.optin')} text={requiresEmailOptin ? t('form.optinOn') : t('form.optinOff')} />
          }
          sx={{ mt: 4, mr: 0, alignItems: 'flex-start' }}
        />
      )}
    </Box>
  );
}

function Choice({ chosen, children }: { chosen: boolean; children: React.ReactNode }) {
  return (
    <Box
      sx={{
        border: 1,
        borderRadius: 1,
        borderColor: chosen ? 'primary.main' : 'divider',
        bgcolor: chosen ? 'tint.accent' : 'transparent',
      }}
    >
      {children}
    </Box>
  );
}

function Explained({ title, text }: { title: string; text: string }) {
  return (
    <Box sx={{ pt: 1.5 }}>
      <Typography variant="subtitle2">{title}</Typography>
      <Typography variant="body2" color="textSecondary">
        {text}
      </Typography>
    </Box>
  );
}

import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { Entrance } from '../entrance';

const types = ['private', 'public'] as const;

interface Props {
  value: Entrance;
  onChange: (change: Partial<Entrance>) => void;
}

/** Private or public, and what a public zone asks of those who join. */
export function ZoneTypeFields({ value, onChange }: Props) {
  const { type, autoJoin, requiresEmailOptin } = value;
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
        onChange={(event) => onChange({ type: event.target.value as Entrance['type'] })}
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
        <>
          <Switched
            title={t('form.autoJoin')}
            text={autoJoin ? t('form.autoJoinOn') : t('form.autoJoinOff')}
            on={autoJoin}
            onChange={(on) => onChange({ autoJoin: on })}
          />
          <Switched
            title={t('form.optin')}
            text={requiresEmailOptin ? t('form.optinOn') : t('form.optinOff')}
            on={requiresEmailOptin}
            onChange={(on) => onChange({ requiresEmailOptin: on })}
          />
        </>
      )}
    </Box>
  );
}

interface SwitchedProps {
  title: string;
  /** What the present state means. */
  text: string;
  on: boolean;
  onChange: (on: boolean) => void;
}

function Switched({ title, text, on, onChange }: SwitchedProps) {
  return (
    <FormControlLabel
      control={<Checkbox checked={on} onChange={(event) => onChange(event.target.checked)} />}
      label={<Explained title={title} text={text} />}
      sx={{ display: 'flex', mt: 4, mr: 0, alignItems: 'flex-start' }}
    />
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

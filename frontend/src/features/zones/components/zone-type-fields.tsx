import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { JoinSettings } from '../join-settings';

const types = ['private', 'public'] as const;

interface Props {
  value: JoinSettings;
  onChange: (change: Partial<JoinSettings>) => void;
}

/** The zone's type, private or public, and the join settings of a public zone. */
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
        onChange={(event) => onChange({ type: event.target.value as JoinSettings['type'] })}
        sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}
      >
        {types.map((name) => (
          <RadioCard key={name} isSelected={name === type}>
            <FormControlLabel
              value={name}
              control={<Radio />}
              label={<OptionLabel title={t(`types.${name}`)} text={t(`form.${name}Text`)} />}
              sx={{ m: 0, alignItems: 'flex-start', height: '100%', p: 2, pr: 4 }}
            />
          </RadioCard>
        ))}
      </RadioGroup>
      {type === 'public' && (
        <>
          <CheckboxOption
            title={t('form.autoJoin')}
            text={autoJoin ? t('form.autoJoinOn') : t('form.autoJoinOff')}
            isChecked={autoJoin}
            onChange={(isChecked) => onChange({ autoJoin: isChecked })}
          />
          <CheckboxOption
            title={t('form.optin')}
            text={requiresEmailOptin ? t('form.optinOn') : t('form.optinOff')}
            isChecked={requiresEmailOptin}
            onChange={(isChecked) => onChange({ requiresEmailOptin: isChecked })}
          />
        </>
      )}
    </Box>
  );
}

interface CheckboxOptionProps {
  title: string;
  /** Explains the current state. */
  text: string;
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
}

function CheckboxOption({ title, text, isChecked, onChange }: CheckboxOptionProps) {
  return (
    <FormControlLabel
      control={<Checkbox checked={isChecked} onChange={(event) => onChange(event.target.checked)} />}
      label={<OptionLabel title={title} text={text} />}
      sx={{ display: 'flex', mt: 4, mr: 0, alignItems: 'flex-start' }}
    />
  );
}

function RadioCard({ isSelected, children }: { isSelected: boolean; children: React.ReactNode }) {
  return (
    <Box
      sx={{
        border: 1,
        borderRadius: 1,
        borderColor: isSelected ? 'primary.main' : 'divider',
        bgcolor: isSelected ? 'tint.accent' : 'transparent',
      }}
    >
      {children}
    </Box>
  );
}

function OptionLabel({ title, text }: { title: string; text: string }) {
  return (
    <Box sx={{ pt: 1.5 }}>
      <Typography variant="subtitle2">{title}</Typography>
      <Typography variant="body2" color="textSecondary">
        {text}
      </Typography>
    </Box>
  );
}

import Box from '@mui/material/Box';
import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';

export const purposes = ['own', 'service'] as const;
export type Purpose = (typeof purposes)[number];

/** Chooses what the installation is for, and shows what each choice changes. */
export function PurposeChoice({ value, onChange }: { value: Purpose; onChange: (purpose: Purpose) => void }) {
  const { t } = useTranslation();
  const labelId = useId();
  return (
    <Box>
      <Typography id={labelId} variant="subtitle2" sx={{ mb: 1 }}>
        {t('purpose.label')}
      </Typography>
      <RadioGroup aria-labelledby={labelId} value={value} onChange={(event) => onChange(event.target.value as Purpose)}>
        {purposes.map((purpose) => (
          <FormControlLabel
            key={purpose}
            value={purpose}
            control={<Radio />}
            sx={{ alignItems: 'flex-start', mr: 0 }}
            label={
              <Box sx={{ py: 1.5 }}>
                <Typography variant="subtitle2">{t(`purpose.${purpose}.title`)}</Typography>
                <Typography variant="body2" color="textSecondary">
                  {t(`purpose.${purpose}.text`)}
                </Typography>
              </Box>
            }
          />
        ))}
      </RadioGroup>
    </Box>
  );
}

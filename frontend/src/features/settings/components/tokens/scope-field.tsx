import Box from '@mui/material/Box';
import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiTokenScope } from '../../api/use-api-tokens';

interface Props {
  value: ApiTokenScope;
  /** Whether tokens with administrator access can be created. */
  canCreateAdminTokens: boolean;
  onChange: (scope: ApiTokenScope) => void;
}

/** The scope of a token, from the least to the most access. */
export function ScopeField({ value, canCreateAdminTokens, onChange }: Props) {
  const { t } = useTranslation('settings');
  const labelId = useId();
  const scopes: ApiTokenScope[] = canCreateAdminTokens ? ['read', 'write', 'admin'] : ['read', 'write'];
  return (
    <Box>
      <Typography id={labelId} variant="subtitle2" sx={{ mb: 1 }}>
        {t('newToken.scope')}
      </Typography>
      <RadioGroup
        aria-labelledby={labelId}
        value={value}
        onChange={(event) => onChange(event.target.value as ApiTokenScope)}
      >
        {scopes.map((scope) => (
          <FormControlLabel
            key={scope}
            value={scope}
            control={<Radio />}
            sx={{ alignItems: 'flex-start', mr: 0 }}
            label={
              <Box sx={{ py: 1.5 }}>
                <Typography variant="subtitle2">{t(`tokens.scopes.${scope}`)}</Typography>
                <Typography variant="body2" color="textSecondary">
                  {t(`tokens.scopeTexts.${scope}`)}
                </Typography>
              </Box>
            }
          />
        ))}
      </RadioGroup>
    </Box>
  );
}

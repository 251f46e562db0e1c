import Alert from '@mui/material/Alert';
import { useTranslation } from 'react-i18next';
import type { Campaign } from '../api/use-campaigns';

const translatedReasons = ['PLAN_LIMIT', 'NO_RECIPIENTS', 'OWNER_DEACTIVATED'] as const;

/** Why a scheduled campaign didn't start; empty for other campaigns. */
export function StartFailureNotice({ campaign: { status, failure } }: { campaign: Campaign }) {
  const { t } = useTranslation('campaigns');
  if (status !== 'failed') return null;
  const reason = translatedReasons.find((known) => known === failure) ?? 'other';
  return (
    <Alert severity="error" role="note" sx={{ bgcolor: 'tint.danger' }}>
      {t(`report.failure.${reason}`)}
    </Alert>
  );
}

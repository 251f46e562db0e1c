import ErrorOutlineRounded from '@mui/icons-material/ErrorOutlineRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../api/api-error';
import { useErrorText } from '../hooks/use-error-text';

interface Props {
  error: unknown;
  /** What failed; a general title by default. */
  title?: string;
  onRetry?: () => unknown;
}

/** Describes the error and offers a retry. */
export function ErrorState({ error, title, onRetry }: Props) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  return (
    <Box role="alert" sx={{ display: 'grid', justifyItems: 'center', gap: 2, px: 4, py: 8, textAlign: 'center' }}>
      <ErrorOutlineRounded sx={{ fontSize: 32, color: 'error.main' }} />
      <Typography variant="h3" component="p">
        {title ?? t('errors.title')}
      </Typography>
      <Typography color="textSecondary" sx={{ maxWidth: '48ch' }}>
        {errorText(error)} {t('errors.nothingLost')}
      </Typography>
      {onRetry && <Button onClick={() => onRetry()}>{t('actions.retry')}</Button>}
      {requestId && (
        <Typography variant="caption" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
          {t('errors.reference', { id: requestId })}
        </Typography>
      )}
    </Box>
  );
}

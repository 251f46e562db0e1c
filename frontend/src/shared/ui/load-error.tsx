import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { useOnReconnect } from '../hooks/use-on-reconnect';

interface Props {
  /** It was tried again, and failed as before: what is left is the whole page anew. */
  wasRetried: boolean;
  onRetry: () => void;
}

/** Stands in the place of what could not be loaded. Once the connection is back it is tried again by itself. */
export function LoadError({ wasRetried, onRetry }: Props) {
  const { t } = useTranslation();
  const isOnline = useOnReconnect(onRetry);
  const mustReload = wasRetried && isOnline;
  return (
    <Box role="alert" sx={{ display: 'grid', justifyItems: 'center', gap: 2, px: 4, py: 6, textAlign: 'center' }}>
      <Typography variant="subtitle2" component="p">
        {t(isOnline ? 'errors.part' : 'errors.offline')}
      </Typography>
      {!isOnline && <Typography color="textSecondary">{t('errors.offlineText')}</Typography>}
      <Button onClick={mustReload ? () => location.reload() : onRetry}>
        {t(mustReload ? 'errors.reload' : 'actions.retry')}
      </Button>
    </Box>
  );
}

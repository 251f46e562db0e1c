import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { useIsOutdated } from '../hooks/use-is-outdated';
import { useOnReconnect } from '../hooks/use-on-reconnect';

interface Props {
  /** The retry failed too, so only reloading the page can help. */
  wasRetried: boolean;
  onRetry: () => void;
}

/** Shown instead of a component that failed to load. Retries automatically once the connection is back. */
export function LoadError({ wasRetried, onRetry }: Props) {
  const { t } = useTranslation();
  const isOnline = useOnReconnect(onRetry);
  const isOutdated = useIsOutdated();
  const mustReload = isOutdated || (wasRetried && isOnline);
  return (
    <Box role="alert" sx={{ display: 'grid', justifyItems: 'center', gap: 2, px: 4, py: 6, textAlign: 'center' }}>
      <Typography variant="subtitle2" component="p">
        {t(isOutdated ? 'errors.outdated' : isOnline ? 'errors.part' : 'errors.offline')}
      </Typography>
      {isOutdated && <Typography color="textSecondary">{t('errors.outdatedText')}</Typography>}
      {!isOnline && <Typography color="textSecondary">{t('errors.offlineText')}</Typography>}
      <Button onClick={mustReload ? () => location.reload() : onRetry}>
        {t(mustReload ? 'errors.reload' : 'actions.retry')}
      </Button>
    </Box>
  );
}

import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useNow } from '../hooks/use-now';
import { CloseIcon } from '../public-ui/icons';
import { useRetryAt, rateLimitStore } from './rate-limit-store';

/** Counts down until the server accepts attempts again. */
export function RateLimitCountdown() {
  const retryAt = useRetryAt();
  return retryAt === null ? null : <Countdown key={retryAt} retryAt={retryAt} />;
}

function Countdown({ retryAt }: { retryAt: number }) {
  const { t } = useTranslation();
  const now = useNow(1000);
  const secondsLeft = Math.ceil((retryAt - now) / 1000);
  useEffect(() => {
    if (secondsLeft <= 0) rateLimitStore.clear();
  }, [secondsLeft]);
  if (secondsLeft <= 0) return null;
  return (
    // Screen readers don't announce each second of a timer; they have announced the error itself.
    <div className="z-toast z-toast-wait" role="timer">
      <div className="z-toast-text">
        <span>
          {t('wait.again')} <strong>{formatDuration(secondsLeft)}</strong>
        </span>
      </div>
      <button
        type="button"
        className="z-toast-close"
        aria-label={t('wait.hide')}
        onClick={() => rateLimitStore.clear()}
      >
        <CloseIcon />
      </button>
    </div>
  );
}

/** 3,725 seconds become 1:02:05. */
function formatDuration(seconds: number): string {
  const hours = Math.floor(seconds / 3600);
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, '0'));
  return [...(hours > 0 ? [String(hours)] : []), ...parts].join(':');
}

import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useNow } from '../hooks/use-now';
import { CloseIcon } from '../plain/icons';
import { useWaiting, waiting } from './wait-store';

/** Counts down until the server takes tries again. */
export function WaitCard() {
  const until = useWaiting();
  return until === null ? null : <Counting key={until} until={until} />;
}

function Counting({ until }: { until: number }) {
  const { t } = useTranslation();
  const now = useNow(1000);
  const left = Math.ceil((until - now) / 1000);
  useEffect(() => {
    if (left <= 0) waiting.end();
  }, [left]);
  if (left <= 0) return null;
  return (
    // A timer is not read out each second; the refusal itself was.
    <div className="z-toast z-toast-wait" role="timer">
      <div className="z-toast-text">
        <span>
          {t('wait.again')} <strong>{clock(left)}</strong>
        </span>
      </div>
      <button type="button" className="z-toast-close" aria-label={t('wait.hide')} onClick={() => waiting.end()}>
        <CloseIcon />
      </button>
    </div>
  );
}

/** 3,725 seconds are 1:02:05. */
function clock(seconds: number): string {
  const hours = Math.floor(seconds / 3600);
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, '0'));
  return [...(hours > 0 ? [String(hours)] : []), ...parts].join(':');
}

import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../../shared/hooks/use-error-text';
import { useFormat } from '../../../../shared/hooks/use-format';
import { useNow } from '../../../../shared/hooks/use-now';
import { toast } from '../../../../shared/toast/toast-store';
import { ErrorState } from '../../../../shared/ui/error-state';
import { RowsSkeleton } from '../../../../shared/ui/skeletons';
import { useEndSessions, useSessions, type Session } from '../../api/use-sessions';
import { deviceOf } from '../../device';
import { Rows } from '../rows';
import { useDeviceName } from './use-device-name';
import { Section, SectionBody } from '../section';
import { SessionRow } from './session-row';

/** So many are shown at first. */
const shownAtFirst = 5;

/** Where one is signed in, and how to end that. */
export function SessionsSection() {
  const { t } = useTranslation('settings');
  const errorText = useErrorText();
  const { data: sessions, error, refetch } = useSessions();
  const { others } = useEndSessions();
  const endOthers = () =>
    others.mutate(undefined, {
      onSuccess: () => toast.success(t('sessions.endedOthers')),
      onError: (failure) => toast.error(t('sessions.failed'), errorText(failure)),
    });
  const several = (sessions?.length ?? 0) > 1;
  return (
    <Section
      id="sessions"
      title={t('sessions.title')}
      text={sessions && !several ? t('sessions.only') : t('sessions.text')}
      action={
        several && (
          <Button loading={others.isPending} loadingPosition="start" onClick={endOthers}>
            {t('sessions.endOthers')}
          </Button>
        )
      }
    >
      {!sessions && (
        <SectionBody>
          {error ? (
            <ErrorState title={t('sessions.loadFailed')} error={error} onRetry={refetch} />
          ) : (
            <RowsSkeleton rows={2} />
          )}
        </SectionBody>
      )}
      {sessions && <SessionList sessions={sessions} />}
    </Section>
  );
}

function SessionList({ sessions }: { sessions: Session[] }) {
  const { t } = useTranslation('settings');
  const format = useFormat();
  const errorText = useErrorText();
  const nameOf = useDeviceName();
  const now = useNow();
  const [all, setAll] = useState(false);
  const { one } = useEndSessions();
  // This device stands first, wherever it was used last.
  const sorted = [...sessions].sort((a, b) => Number(b.current) - Number(a.current));
  const shown = all ? sorted : sorted.slice(0, shownAtFirst);
  const hidden = sorted.length - shown.length;
  const end = (session: Session) =>
    one.mutate(session.id, {
      onSuccess: () => toast.success(t('sessions.ended', { device: nameOf(deviceOf(session.userAgent)) })),
      onError: (failure) => toast.error(t('sessions.failed'), errorText(failure)),
    });
  return (
    <>
      <Rows label={t('sessions.title')}>
        {shown.map((session) => {
          const device = deviceOf(session.userAgent);
          return (
            <SessionRow
              key={session.id}
              session={session}
              device={device}
              name={nameOf(device)}
              now={now}
              ending={one.isPending && one.variables === session.id}
              onEnd={() => end(session)}
            />
          );
        })}
      </Rows>
      {hidden > 0 && (
        <SectionBody>
          <Button variant="text" onClick={() => setAll(true)}>
            {t('sessions.all', { count: hidden, formatted: format.number(hidden) })}
          </Button>
        </SectionBody>
      )}
    </>
  );
}

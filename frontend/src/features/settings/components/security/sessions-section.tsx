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
import { parseUserAgent } from '../../parse-user-agent';
import { SettingList } from '../setting-list';
import { useFormatDeviceName } from './use-format-device-name';
import { Section, SectionBody } from '../section';
import { SessionRow } from './session-row';

/** Number of sessions shown initially. */
const INITIAL_SESSIONS = 5;

/** The user's sessions, with actions to end them. */
export function SessionsSection() {
  const { t } = useTranslation('settings');
  const errorText = useErrorText();
  const { data: sessions, error, refetch } = useSessions();
  const { endOtherSessions } = useEndSessions();
  const endOthers = () =>
    endOtherSessions.mutate(undefined, {
      onSuccess: () => toast.success(t('sessions.endedOthers')),
      onError: (failure) => toast.error(t('sessions.failed'), errorText(failure)),
    });
  const hasOtherSessions = (sessions?.length ?? 0) > 1;
  return (
    <Section
      id="sessions"
      title={t('sessions.title')}
      text={sessions && !hasOtherSessions ? t('sessions.only') : t('sessions.text')}
      action={
        hasOtherSessions && (
          <Button loading={endOtherSessions.isPending} loadingPosition="start" onClick={endOthers}>
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
  const formatDeviceName = useFormatDeviceName();
  const now = useNow();
  const [isExpanded, setIsExpanded] = useState(false);
  const { endSession } = useEndSessions();
  // The current device comes first, regardless of its last activity.
  const sorted = [...sessions].sort((a, b) => Number(b.current) - Number(a.current));
  const visibleSessions = isExpanded ? sorted : sorted.slice(0, INITIAL_SESSIONS);
  const hiddenCount = sorted.length - visibleSessions.length;
  const endAndNotify = (session: Session) =>
    endSession.mutate(session.id, {
      onSuccess: () =>
        toast.success(t('sessions.ended', { device: formatDeviceName(parseUserAgent(session.userAgent)) })),
      onError: (failure) => toast.error(t('sessions.failed'), errorText(failure)),
    });
  return (
    <>
      <SettingList label={t('sessions.title')}>
        {visibleSessions.map((session) => {
          const device = parseUserAgent(session.userAgent);
          return (
            <SessionRow
              key={session.id}
              session={session}
              device={device}
              deviceName={formatDeviceName(device)}
              now={now}
              isEnding={endSession.isPending && endSession.variables === session.id}
              onEnd={() => endAndNotify(session)}
            />
          );
        })}
      </SettingList>
      {hiddenCount > 0 && (
        <SectionBody>
          <Button variant="text" onClick={() => setIsExpanded(true)}>
            {t('sessions.all', { count: hiddenCount, formatted: format.number(hiddenCount) })}
          </Button>
        </SectionBody>
      )}
    </>
  );
}

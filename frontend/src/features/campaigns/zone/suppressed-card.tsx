import Button from '@mui/material/Button';
import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemText from '@mui/material/ListItemText';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { $api, api, type Schema } from '../../../shared/api/client';
import { useInvalidate } from '../../../shared/api/invalidate';
import { zonePathParams } from '../../../shared/api/use-zone';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useFormat } from '../../../shared/hooks/use-format';
import { toast } from '../../../shared/toast/toast-store';
import { ErrorState } from '../../../shared/ui/error-state';
import { SectionCard } from '../../../shared/ui/section-card';

const path = '/api/zones/{id}/suppressed-members';

/** Members whose addresses are suppressed, with actions to email them again. Empty if there are none. */
export function SuppressedMembersCard({ zoneId }: { zoneId: number }) {
  const { t } = useTranslation('campaigns');
  const { data: members, error, refetch } = $api.useQuery('get', path, { params: { path: zonePathParams(zoneId) } });
  if (error && !members) return <ErrorState title={t('zoneTab.suppressedFailed')} error={error} onRetry={refetch} />;
  if (!members || members.length === 0) return null;
  return (
    <SectionCard title={t('zoneTab.suppressed')} text={t('rejections.suppressedText')}>
      <UnsuppressAllButton zoneId={zoneId} count={members.filter(({ canLift }) => canLift).length} />
      <List disablePadding aria-label={t('zoneTab.suppressed')}>
        {members.map((member) => (
          <SuppressedMember key={member.userId} zoneId={zoneId} member={member} />
        ))}
      </List>
    </SectionCard>
  );
}

/** Reactivates all at once; for a single member their own button is enough. */
function UnsuppressAllButton({ zoneId, count }: { zoneId: number; count: number }) {
  const { t } = useTranslation('campaigns');
  const format = useFormat();
  const errorText = useErrorText();
  const invalidate = useInvalidate();
  const unsuppressAll = useMutation({
    mutationFn: async () =>
      (
        await api.POST('/api/zones/{id}/suppressed-members/lift', {
          params: { path: zonePathParams(zoneId) },
          body: {},
        })
      ).data!,
    onSuccess: ({ lifted }) => {
      toast.success(t('rejections.liftedMany', { count: lifted, formatted: format.number(lifted) }));
      return invalidate('POST /api/zones/{id}/suppressed-members/lift');
    },
    onError: (error) => toast.error(t('zoneTab.liftFailed'), errorText(error)),
  });
  if (count < 2) return null;
  return (
    <Button loading={unsuppressAll.isPending} loadingPosition="start" onClick={() => unsuppressAll.mutate()}>
      {t('rejections.liftAll', { formatted: format.number(count) })}
    </Button>
  );
}

function SuppressedMember({ zoneId, member }: { zoneId: number; member: Schema<'SuppressedMemberDto'> }) {
  const { t } = useTranslation('campaigns');
  const format = useFormat();
  const errorText = useErrorText();
  const invalidate = useInvalidate();
  const { userId, email, reason, since, canLift } = member;
  const unsuppress = useMutation({
    mutationFn: () =>
      api.DELETE('/api/zones/{id}/suppressed-members/{userId}', {
        params: { path: { ...zonePathParams(zoneId), userId } },
      }),
    onSuccess: () => {
      toast.success(t('zoneTab.lifted'));
      return invalidate('DELETE /api/zones/{id}/suppressed-members/{userId}');
    },
    onError: (error) => toast.error(t('zoneTab.liftFailed'), errorText(error)),
  });
  return (
    <ListItem disableGutters sx={{ flexWrap: 'wrap', gap: 2 }}>
      <ListItemText
        primary={email}
        secondary={`${t(`zoneTab.why.${reason}`)} · ${t('zoneTab.since', { date: format.date(since) })}`}
        sx={{ overflowWrap: 'anywhere', flex: '1 1 200px' }}
      />
      {canLift && (
        <Button
          aria-label={t('zoneTab.liftOf', { email })}
          loading={unsuppress.isPending}
          loadingPosition="start"
          onClick={() => unsuppress.mutate()}
        >
          {t('zoneTab.lift')}
        </Button>
      )}
    </ListItem>
  );
}

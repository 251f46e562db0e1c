import FolderOffRounded from '@mui/icons-material/FolderOffRounded';
import VisibilityRounded from '@mui/icons-material/VisibilityRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Skeleton from '@mui/material/Skeleton';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { Suspense, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Outlet, useParams } from 'react-router';
import { ApiError } from '../../shared/api/api-error';
import { parseId, useZone } from '../../shared/api/use-zone';
import { useFormat } from '../../shared/hooks/use-format';
import { useIsMobile } from '../../shared/hooks/use-is-mobile';
import { useTitle } from '../../shared/hooks/use-title';
import { EmptyState } from '../../shared/ui/empty-state';
import { ErrorState } from '../../shared/ui/error-state';
import { PageHeader } from '../../shared/ui/page-header';
import { LoadingRegion, RowsSkeleton } from '../../shared/ui/skeletons';
import { useRecordVisit } from './api/use-record-visit';
import { tabId, tabPanelId, getVisibleTabs, useCurrentZoneTab, ZoneTabs } from './components/zone-tabs';
import { ZoneTypeBadge } from './components/zone-type-badge';
import type { Zone } from './sort-zones';

interface Props {
  /** The button in the header, for people who can invite. */
  inviteAction?: ReactNode;
  /** More actions for members of someone else's zone, such as leaving it. */
  leaveAction?: ReactNode;
}

/** /zones/{id}: the header of a zone, and below it the tab of the URL. */
export function ZonePage({ inviteAction, leaveAction }: Props) {
  const { t } = useTranslation('zones');
  const id = parseId(useParams().zoneId);
  const { data: zone, error, refetch } = useZone(id);
  const tab = useCurrentZoneTab();
  useRecordVisit(zone);
  const hasTabs = zone !== undefined && getVisibleTabs(zone).length > 0;
  if (Number.isNaN(id) || (error instanceof ApiError && error.status === 404)) return <ZoneNotFound />;
  if (error && !zone) return <ErrorState title={t('zone.failed')} error={error} onRetry={refetch} />;
  return (
    <>
      {zone ? <ZoneHeader zone={zone} inviteAction={inviteAction} leaveAction={leaveAction} /> : <ZoneHeaderSkeleton />}
      {zone && <ZoneTabs zone={zone} />}
      {!zone && <RowsSkeleton />}
      {/* Its content may be ready before the header, which would then push it down. */}
      <Box
        role={hasTabs ? 'tabpanel' : undefined}
        id={tabPanelId}
        aria-labelledby={hasTabs ? tabId(tab) : undefined}
        sx={zone ? undefined : { display: 'none' }}
      >
        <Suspense fallback={<RowsSkeleton />}>
          <Outlet />
        </Suspense>
      </Box>
    </>
  );
}

interface ZoneHeaderProps {
  zone: Zone;
  inviteAction: ReactNode;
  leaveAction: ReactNode;
}

function ZoneHeader({ zone, inviteAction, leaveAction }: ZoneHeaderProps) {
  const { t } = useTranslation('zones');
  const back = zone.isOwner
    ? { to: '/zones', label: t('zone.backOwned') }
    : { to: '/shared-zones', label: t('zone.backShared') };
  return (
    <PageHeader
      title={zone.name}
      description={
        zone.can.manageFiles && zone.description ? <OneLineOnPhones text={zone.description} /> : zone.description
      }
      badge={
        <>
          <ZoneTypeBadge type={zone.type} />
          {!zone.can.seeMembers && <MemberCount count={zone.memberCount} />}
        </>
      }
      back={back}
      hasCompactActions
      actions={
        (zone.can.manageFiles || zone.can.leave) && (
          <>
            {zone.can.manageFiles && (
              <ZoneHeaderActions zone={zone}>{zone.can.invite && inviteAction}</ZoneHeaderActions>
            )}
            {zone.can.leave && leaveAction}
          </>
        )
      }
    />
  );
}

/** People who manage the zone know its description, and the list needs the space. */
function OneLineOnPhones({ text }: { text: string }) {
  return (
    <Box
      component="span"
      title={text}
      sx={{
        display: { xs: '-webkit-box', sm: 'inline' },
        overflow: 'hidden',
        WebkitBoxOrient: 'vertical',
        WebkitLineClamp: 1,
      }}
    >
      {text}
    </Box>
  );
}

/** Shown to people who can't see the members; others see the number in the tab. */
function MemberCount({ count }: { count: number }) {
  const { t } = useTranslation('zones');
  const format = useFormat();
  return (
    <Typography variant="body2" color="textSecondary">
      {t('counts.members', { count, formatted: format.number(count) })}
    </Typography>
  );
}

/** Actions for the whole zone, for people who manage it. */
function ZoneHeaderActions({ zone, children }: { zone: Zone; children: ReactNode }) {
  const { t } = useTranslation('zones');
  return (
    <>
      <HeaderLink to={`/zones/${zone.id}/visitor`} icon={<VisibilityRounded />} label={t('zone.asVisitor')} />
      {children}
    </>
  );
}

/** On phones only its icon. */
function HeaderLink({ to, icon, label }: { to: string; icon: ReactNode; label: string }) {
  const isMobile = useIsMobile();
  if (!isMobile) {
    return (
      <Button component={Link} to={to} startIcon={icon}>
        {label}
      </Button>
    );
  }
  return (
    <Tooltip title={label}>
      <IconButton component={Link} to={to} aria-label={label}>
        {icon}
      </IconButton>
    </Tooltip>
  );
}

function ZoneHeaderSkeleton() {
  return (
    <LoadingRegion>
      <Box sx={{ mb: 6 }}>
        <Skeleton variant="text" width="min(320px, 60%)" sx={{ typography: 'h1' }} />
        <Skeleton variant="text" width="min(480px, 80%)" />
      </Box>
    </LoadingRegion>
  );
}

function ZoneNotFound() {
  const { t } = useTranslation('zones');
  useTitle(t('zone.notFound'));
  return (
    <EmptyState
      icon={<FolderOffRounded />}
      title={t('zone.notFound')}
      text={t('zone.notFoundText')}
      action={
        <Box sx={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'center', gap: 2 }}>
          <Button component={Link} to="/zones">
            {t('zone.toOwned')}
          </Button>
          <Button component={Link} to="/shared-zones">
            {t('zone.toShared')}
          </Button>
        </Box>
      }
    />
  );
}

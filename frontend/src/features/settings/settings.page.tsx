import LogoutRounded from '@mui/icons-material/LogoutRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { useSignedInUser } from '../../shared/api/current-user';
import { useSignOut } from '../../shared/api/use-sign-out';
import { PageHeader } from '../../shared/ui/page-header';
import { ActivitySection } from './components/activity-section';
import { DataSection } from './components/account/data-section';
import { IdentitiesSection } from './components/security/identities-section';
import { MemberEmailsSection } from './components/member-emails-section';
import { NotificationsSection } from './components/notifications-section';
import { PasswordSection } from './components/security/password-section';
import { PlanSection } from './plan/plan-section';
import { ProfileSection } from './components/profile/profile-section';
import { RegionSection } from './components/profile/region-section';
import { SectionNav } from './components/section-nav';
import { SessionsSection } from './components/security/sessions-section';
import { TokensSection } from './components/tokens/tokens-section';
import { FactorsSection } from './factors/factors-section';
import { PasskeysSection } from './factors/passkeys-section';
import { useScrollToSectionInHash } from './components/use-active-section';
import { useVisibleSections } from './components/use-visible-sections';

/** /settings: profile, sign-in and data of the user. A fragment such as `#password` links to a section. */
export function SettingsPage() {
  const { t } = useTranslation('settings');
  const { t: tCommon } = useTranslation();
  const user = useSignedInUser();
  const signOut = useSignOut();
  const visibleSections = useVisibleSections();
  useScrollToSectionInHash();
  return (
    <Box sx={{ maxWidth: 960, mx: 'auto' }}>
      <PageHeader
        title={t('title')}
        description={t('description')}
        back={{ to: '/dashboard', label: t('back') }}
        actions={
          <Button
            startIcon={<LogoutRounded />}
            loading={signOut.isPending}
            loadingPosition="start"
            onClick={() => signOut.mutate()}
          >
            {tCommon('signOut.action')}
          </Button>
        }
      />
      <Box sx={{ display: 'flex', gap: 12, alignItems: 'stretch' }}>
        <SectionNav />
        <Box sx={{ flex: 1, minWidth: 0, display: 'grid', gap: 6, gridTemplateColumns: 'minmax(0, 1fr)' }}>
          <ProfileSection user={user} />
          {visibleSections.includes('plan') && <PlanSection />}
          <RegionSection user={user} />
          <NotificationsSection user={user} />
          <PasswordSection user={user} />
          <PasskeysSection />
          <FactorsSection />
          <IdentitiesSection />
          <SessionsSection />
          <ActivitySection />
          {visibleSections.includes('mails') && <MemberEmailsSection user={user} />}
          <TokensSection user={user} />
          <DataSection user={user} />
        </Box>
      </Box>
    </Box>
  );
}

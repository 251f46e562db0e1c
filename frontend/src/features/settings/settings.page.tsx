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
import { MailsSection } from './components/mails-section';
import { NoticesSection } from './components/notices-section';
import { PasswordSection } from './components/security/password-section';
import { PlanSection } from './plan/plan-section';
import { ProfileSection } from './components/profile/profile-section';
import { RegionSection } from './components/profile/region-section';
import { SectionNav } from './components/section-nav';
import { SessionsSection } from './components/security/sessions-section';
import { TokensSection } from './components/tokens/tokens-section';
import { FactorsSection } from './factors/factors-section';
import { PasskeysSection } from './factors/passkeys-section';
import { useSectionOfAddress } from './components/use-section-in-view';
import { useShownSections } from './components/use-shown-sections';

/** /settings: who one is, how one signs in, and what is held of one. A fragment such as `#password` leads to a part. */
export function SettingsPage() {
  const { t } = useTranslation('settings');
  const { t: common } = useTranslation();
  const user = useSignedInUser();
  const signOut = useSignOut();
  const shown = useShownSections();
  useSectionOfAddress();
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
            {common('signOut.action')}
          </Button>
        }
      />
      <Box sx={{ display: 'flex', gap: 12, alignItems: 'stretch' }}>
        <SectionNav />
        <Box sx={{ flex: 1, minWidth: 0, display: 'grid', gap: 6, gridTemplateColumns: 'minmax(0, 1fr)' }}>
          <ProfileSection user={user} />
          {shown.includes('plan') && <PlanSection />}
          <RegionSection user={user} />
          <NoticesSection user={user} />
          <PasswordSection user={user} />
          <PasskeysSection />
          <FactorsSection />
          <IdentitiesSection />
          <SessionsSection />
          <ActivitySection />
          {shown.includes('mails') && <MailsSection user={user} />}
          <TokensSection user={user} />
          <DataSection user={user} />
        </Box>
      </Box>
    </Box>
  );
}

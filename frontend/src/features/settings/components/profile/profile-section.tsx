import { useTranslation } from 'react-i18next';
import type { CurrentUser } from '../../../../shared/api/current-user';
import { AccountDetails } from '../account/account-details';
import { PictureField } from './picture-field';
import { ProfileForm } from './profile-form';
import { Section } from '../section';

/** Picture, name, username, and the account data that can't be changed. */
export function ProfileSection({ user }: { user: CurrentUser }) {
  const { t } = useTranslation('settings');
  return (
    <Section id="profile" title={t('profile.title')} text={t('profile.text')}>
      <PictureField user={user} />
      <ProfileForm user={user}>
        <AccountDetails user={user} />
      </ProfileForm>
    </Section>
  );
}

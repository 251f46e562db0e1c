import { useTranslation } from 'react-i18next';
import { useFactors } from '../../../shared/factors/use-factors';
import { ErrorState } from '../../../shared/ui/error-state';
import { RowsSkeleton } from '../../../shared/ui/skeletons';
import { SettingList } from '../components/setting-list';
import { Section, SectionBody } from '../components/section';
import { AuthenticatorRow } from './authenticator-row';
import { RecoveryCodesRow } from './recovery-codes-row';

/** Two-step sign-in: an authenticator app, and recovery codes in case it is lost. */
export function FactorsSection() {
  const { t } = useTranslation('settings');
  const { data: factors, error, refetch } = useFactors();
  const hasFactor = factors !== undefined && (factors.authenticator !== null || factors.passkeys.length > 0);
  return (
    <Section id="factors" title={t('factors.title')} text={t('factors.text')}>
      {factors ? (
        <SettingList label={t('factors.title')}>
          <AuthenticatorRow factors={factors} />
          {hasFactor && <RecoveryCodesRow codesLeft={factors.recoveryCodesLeft} />}
        </SettingList>
      ) : (
        <SectionBody>
          {error ? (
            <ErrorState title={t('factors.failed')} error={error} onRetry={refetch} />
          ) : (
            <RowsSkeleton rows={1} />
          )}
        </SectionBody>
      )}
    </Section>
  );
}

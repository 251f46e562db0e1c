import ArrowUpwardRounded from '@mui/icons-material/ArrowUpwardRounded';
import ButtonBase from '@mui/material/ButtonBase';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/hooks/use-format';
import type { Suggestion } from '../suggestion';
import { useVote } from '../use-vote';

/** The votes of a suggestion; pressed if the user has voted for it. */
export function VoteButton({ suggestion }: { suggestion: Suggestion }) {
  const { t } = useTranslation('suggestions');
  const format = useFormat();
  const vote = useVote();
  const { title, voteCount, userVoted, can } = suggestion;
  return (
    <ButtonBase
      aria-pressed={userVoted}
      aria-label={t('vote.label', { title, count: voteCount, formatted: format.number(voteCount) })}
      disabled={vote.isPending || (!can.vote && !userVoted)}
      onClick={() => vote.mutate(suggestion)}
      sx={{
        display: 'grid',
        justifyItems: 'center',
        alignContent: 'center',
        flex: 'none',
        alignSelf: 'flex-start',
        width: 52,
        minHeight: 60,
        border: 1,
        borderRadius: 1,
        borderColor: userVoted ? 'primary.main' : 'divider',
        bgcolor: userVoted ? 'tint.accent' : undefined,
        color: userVoted ? 'primary.main' : 'text.primary',
        '&:hover': { borderColor: 'primary.main' },
      }}
    >
      <ArrowUpwardRounded />
      <Typography component="span" variant="subtitle2" sx={{ fontVariantNumeric: 'tabular-nums' }}>
        {format.number(voteCount)}
      </Typography>
    </ButtonBase>
  );
}

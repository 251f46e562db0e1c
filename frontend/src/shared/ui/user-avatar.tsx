import Avatar from '@mui/material/Avatar';
import { initialOf, type Person } from '../format/person';

/** The user's picture, or the first letter of their name. Decorative, because the name is shown beside it. */
export function UserAvatar({ person, size = 32 }: { person: Person; size?: number }) {
  return (
    <Avatar
      src={person.profileImageUrl ?? undefined}
      alt=""
      aria-hidden
      sx={{
        width: size,
        height: size,
        bgcolor: 'tint.neutral',
        color: 'text.primary',
        typography: size < 40 ? 'body2' : 'subtitle1',
        fontWeight: 'fontWeightSemibold',
      }}
    >
      {initialOf(person)}
    </Avatar>
  );
}

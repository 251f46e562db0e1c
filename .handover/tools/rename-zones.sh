# usage: run in a worktree; renames classes of zones in all sources
git grep -lE "SuppressionService|suppression\.service|ConsentService|consent\.service|MembershipRestrictionService|membership-restriction\.service" -- backend bench scripts docs '*.cjs' | xargs -r sed -i -E \
 -e 's/\bSuppressionService\b/SuppressionRepository/g; s#leaving/suppression\.service#leaving/suppression.repository#g; s#\./suppression\.service#./suppression.repository#g' \
 -e 's/\bConsentService\b/ConsentRepository/g; s#consent/consent\.service#consent/consent.repository#g; s#\./consent\.service#./consent.repository#g' \
 -e 's/\bMembershipRestrictionService\b/MembershipRestrictionRepository/g; s#membership-restriction\.service#membership-restriction.repository#g'

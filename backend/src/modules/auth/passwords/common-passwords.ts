/** The most common passwords of at least 8 characters, from published leaks; compared in lower case. */
export const commonPasswords: ReadonlySet<string> = new Set(
  `password password1 password12 password123 password1234 password! passw0rd p@ssw0rd p@ssword pass1234 passpass
12345678 123456789 1234567890 0123456789 12345678910 123123123 1234512345 11111111 111111111 1111111111 00000000
000000000 22222222 33333333 44444444 55555555 66666666 77777777 88888888 99999999 999999999 12121212 121212121
13131313 11223344 1122334455 112233445566 12341234 123454321 147258369 147852369 159753456 741852963 789456123
789456123 987654321 9876543210 87654321 876543210 98765432 00112233 01234567 10203040 12344321 11112222 21212121
qwertyui qwertyuio qwertyuiop qwerty12 qwerty123 qwerty1234 qwerty12345 qwerty123456 qwerty11 qwe123qwe qwer1234
qweasdzxc qweqweqwe qazwsxedc qazwsx123 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx 1qaz2wsx3edc q1w2e3r4 q1w2e3r4t5
zaq12wsx zxcvbnm1 zxcvbnm123 zxcvbnm, asdfghjk asdfghjkl asdf1234 asdfasdf asdasdasd asd123asd 123qweasd 123qwe123
123qweasdzxc abc12345 abcd1234 abcdefgh abcdefg1 abcd12345 abc123456 abcabcabc aaaaaaaa aaaaaaaaa aa123456 a1234567
a12345678 a123456789 a1b2c3d4 a1s2d3f4 aa12345678 q1234567 x1234567 z1234567 qwerty78 iloveyou iloveyou1 iloveyou2
iloveyou! ilovegod iloveme1 loveyou1 lovelove letmein1 letmein123 welcome1 welcome12 welcome123 welcome2 admin123
admin1234 admin12345 administrator adminadmin rootroot changeme changeme1 changeme123 default1 guest123 test1234
testtest test12345 testing1 testing123 temp1234 temporary user1234 username login123 sunshine sunshine1 princess
princess1 football football1 baseball baseball1 basketball superman superman1 batman123 spiderman starwars starwars1
pokemon1 pokemon123 dragon123 monkey123 shadow123 master123 michael1 jennifer jennifer1 jessica1 michelle michelle1
charlie1 samantha danielle alexander alexandra christian elizabeth nicholas benjamin jonathan anthony1 victoria
veronica isabella gabriel1 patricia computer computer1 internet internet1 corvette mercedes chocolate butterfly
whatever trustno1 trustno12 freedom1 liverpool liverpool1 chelsea1 arsenal1 barcelona manchester juventus1 fenerbahce
fenerbahce1907 galatasaray galatasaray1905 besiktas1903 trabzonspor istanbul istanbul34 ankara06 turkiye1 turkiye123
sifre123 sifre1234 parola123 parola1234 seniseviyorum askim123 canim123 mustafa123 mehmet123 ahmet123 fatma123
zonary123 zonary1234 blink182 garfield rockyou1 hellohello hello123 hello1234 november december september elephant
midnight midnight1 mountain diamond1 secret123 secret12 killer123 google123 facebook facebook1 linkedin myspace1
minecraft minecraft1 playstation nintendo samsung1 samsung123 iphone123 motorola marlboro scorpion swordfish undertaker
thunder1 tinkerbell snowball einstein mickey123 matrix123 maverick cocacola cristina fernando alejandro alejandra
sebastian estrella teamojose carolina tequiero contrasena passwort passwort1 motdepasse azertyui azertyuiop azerty123
doudou123 soleil123 marseille bonjour1 hallo123 hallo1234 schalke04 fussball ficken123 sommer2020 winter2020 summer2020
summer2021 summer2022 summer2023 summer2024 summer2025 winter2021 winter2022 winter2023 winter2024 winter2025
spring2024 spring2025 password2023 password2024 password2025 password2026 welcome2024 welcome2025 qwerty2024 qwerty2025`.split(
    /\s+/,
  ),
);

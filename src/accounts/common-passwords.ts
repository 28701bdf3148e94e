/**
 * The most common passwords according to leaks of recent years, and their usual extensions to a
 * required length: trailing digits and signs, repetitions, keyboard runs.
 */

const words = `
  123456 password 12345678 qwerty 123456789 12345 1234 111111 1234567 dragon 123123 baseball abc123
  football monkey letmein shadow master 666666 qwertyuiop 123321 mustang 1234567890 michael 654321
  superman 1qaz2wsx 7777777 121212 000000 qazwsx 123qwe killer trustno1 jordan jennifer zxcvbnm
  asdfgh hunter buster soccer harley batman andrew tigger sunshine iloveyou charlie robert thomas
  hockey ranger daniel starwars klaster 112233 george computer michelle jessica pepper 1111 zxcvbn
  555555 11111111 131313 freedom 777777 pass maggie 159753 aaaaaa ginger princess joshua cheese
  amanda summer love ashley nicole chelsea matthew access yankees 987654321 dallas austin
  thunder taylor matrix william corvette hello martin heather secret merlin diamond 1234qwer gfhjkm
  hammer silver 222222 88888888 anthony justin test bailey q1w2e3r4t5 patrick internet scooter
  orange 11111 golfer cookie richard samantha bigdog guitar jackson whatever mickey chicken sparky
  snoopy maverick phoenix camaro peanut morgan welcome falcon cowboy ferrari samsung andrea smokey
  steelers joseph mercedes dakota arsenal eagles melissa boomer booboo spider nascar monster tigers
  yellow xxxxxx 123123123 gateway marina diablo bulldog qwer1234 compaq purple hardcore banana
  junior hannah 123654 porsche lakers iceman money cowboys 987654 london tennis 999999 ncc1701
  coffee scooby 0000 miller boston q1w2e3r4 brandon yamaha chester mother forever johnny edward
  333333 oliver redsox player nikita knight fender barney midnight please brandy chicago badboy
  iwantu slayer rangers charles angel flower bigdaddy rabbit wizard jasper enter rachel chris steven
  winner adidas victoria natasha 1q2w3e4r jasmine winter prince marine fishing cocacola casper james
  232323 raiders 888888 marlboro gandalf asdfasdf crystal 87654321 12344321 golden 8675309 panther
  lauren angela thx1138 angels madison winston shannon mike toyota jordan23 canada sophie apples
  tiger razz 123abc pokemon qazxsw 55555 qwaszx muffin johnson murphy cooper jonathan liverpoo david
  danielle 159357 jackie 1990 123456a 789456 turtle abcd1234 scorpion qazwsxedc 101010 butter carlos
  password1 password12 password123 password1234 password12345 password123456 passw0rd p@ssw0rd
  p@ssword pa55word pa$$word passwort kennwort motdepasse contrasena contraseña senha wachtwoord
  haslo lozinka parola heslo sifre admin administrator adminadmin admin123 root toor rootroot
  superuser operator manager service system sysadmin webmaster support guest user username login
  loginlogin changeme changeit changemenow changethis default defaultpassword initial temp temporary
  temppass newpassword mypassword thepassword yourpassword passwordpassword nopassword ourpassword
  thisismypassword thisisapassword thisispassword mysecret secretpassword topsecret supersecret
  verysecret secretsecret confidential private letmeinnow letmeinplease openthedoor opensesame
  welcomehome welcomeback welcometo iloveyouso iloveyoubaby iloveyouforever iloveu loveyou lovely
  princesa tequiero teamo jetaime ichliebedich hallo hallohallo bonjour hola helloworld hellohello
  goodmorning correcthorsebatterystaple correcthorse
  trustnoone nothing something anything everything password! qwerty123
  qwertz qwertzuiop azerty azertyuiop qwerty12345 qwerty123456 qwertyqwerty asdf asdfghjkl
  asdfasdfasdf zxcvbnmasdf 1qaz2wsx3edc 1qaz2wsx3edc4rfv 1q2w3e4r5t 1q2w3e4r5t6y qweasdzxc
  qweasd zaq12wsx zaq1zaq1 zaqwsx abcdef abcdefg abcdefgh abcdefghijkl abc abcabc aabbcc a1b2c3
  a1b2c3d4 a1b2c3d4e5f6
  football1 baseball1 basketball volleyball superstar superman1 spiderman ironman captainamerica
  manchester manchesterunited liverpool liverpoolfc barcelona realmadrid juventus bayern germany
  england france america australia brazil argentina mexico spain italy canada1 newyork losangeles
  california texas florida christmas halloween birthday thursday monday friday january february
  march april may june july august september october november december spring autumn fall
  blink182 metallica slipknot nirvana eminem beatles rockstar musicislife guitar1 michaeljackson
  jesus jesuschrist jesusislord ilovejesus godisgood godislove blessed faith church heaven
  minecraft fortnite roblox playstation nintendo xbox360 callofduty counterstrike warcraft
  worldofwarcraft pokemon1 zelda mario sonic naruto dragonball onepiece starwars1 startrek
  harrypotter lordoftherings gameofthrones google facebook twitter instagram linkedin myspace
  youtube microsoft windows apple iphone android samsung1 nokia oracle cisco vmware mysql postgres
  grafana prometheus tidegauge monitoring metrics server dashboard production staging development
  company office business enterprise database backup network security router switch firewall
  zabbix nagios elastic kibana influxdb docker kubernetes ubuntu debian centos redhat linux
  unknown bigboy babygirl babyboy babydoll
  sweetheart sweety honey angel1 butterfly rainbow flowers chocolate strawberry blueberry cherry
  pumpkin cupcake elephant dolphin penguin kitty kitten hellokitty puppy doggie snowball sunflower
  moonlight starlight stargate lucky lucky7 destiny passion family mommy daddy mother1 father
  brother sister friends bestfriend bestfriends alexander alexandra benjamin christopher elizabeth
  gabriel isabella stephanie veronica vanessa valentina sebastian nicholas maximilian francisco
  fernando alejandro alejandra carolina catherine christina charlotte caroline patricia barbara
`

const commonest: ReadonlySet<string> = new Set(words.split(/\s+/).filter((word) => word !== ""))

/** Runs of neighbouring keys and well-known sequences, forward and backward. */
const runs = [
  "0123456789".repeat(3),
  "1234567890".repeat(3),
  "abcdefghijklmnopqrstuvwxyz".repeat(2),
  "qwertyuiopasdfghjklzxcvbnm".repeat(2),
  "qwertzuiopasdfghjklyxcvbnm".repeat(2),
  "azertyuiopqsdfghjklmwxcvbn".repeat(2),
  "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p",
  "1q2w3e4r5t6y7u8i9o0p",
].flatMap((run) => [run, [...run].reverse().join("")])

/** Length of the longest repeated piece that is detected. */
const pieceMax = 10

/**
 * Whether a password is a common one: unchanged, with leading or trailing digits and signs, as a
 * repetition of a piece of up to 10 characters, or as a run of neighbouring keys.
 */
export function isCommonPassword(password: string): boolean {
  const text = password.normalize("NFC").toLowerCase()
  const core = text.replace(/^[^\p{L}]+/u, "").replace(/[^\p{L}]+$/u, "")
  if (core === "") return isRepeated(text) || isRun(text) || isCommonNumber(text)
  const joined = text.replace(/[^\p{L}\p{N}]+/gu, "")
  return [text, core, joined, unmasked(text), unmasked(core)].some(
    (one) => commonest.has(one) || isRepeated(one) || isRun(one),
  )
}

/** Whether a password of digits and signs only is common once the signs are removed. */
function isCommonNumber(text: string): boolean {
  const digits = text.replace(/\D/g, "")
  return commonest.has(digits) || isRepeated(digits) || isRun(digits)
}

/** Replaces digits and signs by the letters that they resemble. */
function unmasked(text: string): string {
  const letters: Readonly<Record<string, string>> = {
    "0": "o",
    "1": "i",
    "3": "e",
    "4": "a",
    "5": "s",
    "7": "t",
    "@": "a",
    $: "s",
    "!": "i",
  }
  return text.replace(/[013457@$!]/g, (sign) => letters[sign]!)
}

function isRepeated(text: string): boolean {
  for (let length = 1; length <= Math.min(pieceMax, text.length / 2); length++) {
    const piece = text.slice(0, length)
    if (text === piece.repeat(Math.ceil(text.length / length)).slice(0, text.length)) return true
  }
  return false
}

function isRun(text: string): boolean {
  return text.length > 3 && runs.some((run) => run.includes(text))
}

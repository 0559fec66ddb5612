/** Given names as in real orgs: accents, other scripts, combining marks, apostrophes, and a bare initial. */
export const FIRST_NAMES = [
  "Anna", "Ben", "Carla", "David", "Eva", "Frank", "Greta", "Hugo", "Ines", "Jonas", "Karin", "Lars", "Maria",
  "Nora", "Oskar", "Paula", "Quentin", "Rosa", "Stefan", "Tina", "Ulrich", "Vera", "Walter", "Xenia", "Yannick",
  "Zoë", "Łukasz", "Siân", "François", "Jürgen", "Åsa", "Þóra", "Ngọc", "José", "Jose\u0301", "Çağla", "Ольга",
  "Дмитрий", "Ελένη", "محمد", "شيرين", "נועה", "小龍", "美咲", "지우", "आरती", "Mary-Jane", "D'Arcy", "J.", "Anne Marie",
] as const; // prettier-ignore

export const LAST_NAMES = [
  "Smith", "Johnson", "Müller", "Schmidt", "García", "Martínez", "Rossi", "Bianchi", "Dubois", "Lefèvre",
  "O'Brien", "O’Neill", "McDonald", "van der Berg", "de la Cruz", "Nowak", "Kowalska", "Novák", "Ivanova",
  "Петров", "Παπαδόπουλος", "الأحمد", "כהן", "李", "田中", "김", "शर्मा", "Nguyễn", "Çelik", "Jørgensen", "Ståhl",
  "Virtanen", "Öztürk", "Groß", "Zuñiga", "Saint-Exupéry", "Smith-Jones", "N\u0303an\u0303ez", "Wu",
  "Featherstonehaugh", "Wolfeschlegelsteinhausenbergerdorff", "Null", "Test", "Li", "Ng", "Baker", "Cook",
  "Fischer", "Weber", "Meyer",
] as const; // prettier-ignore

export const SALUTATIONS = ["Mr.", "Ms.", "Mrs.", "Dr.", "Prof."] as const;

export const TITLES = [
  "Head of Purchasing", "Managing Director", "Plant Manager", "IT Lead", "Buyer", "CFO", "VP, Operations",
  "Leiter Instandhaltung", "Responsable qualité", "Assistant", "Sr. Engineer / R&D", "購買部長", "Owner",
  "Quality <Assurance>", "Project Manager",
] as const; // prettier-ignore

export const DEPARTMENTS = [
  "Purchasing",
  "Maintenance",
  "Finance",
  "IT",
  "Quality",
  "Logistics",
  "R&D",
  "Verkauf",
  "経理部",
] as const;

export const MAIL_DOMAINS = [
  "example.com", "example.org", "example.net", "mail.example.com", "corp.example", "factory.example",
  "uni.example", "shop.example",
] as const; // prettier-ignore

export const CITIES = [
  ["Berlin", "BE", "10115", "Germany"],
  ["München", "BY", "80331", "Germany"],
  ["Zürich", "ZH", "8001", "Switzerland"],
  ["São Paulo", "SP", "01000-000", "Brazil"],
  ["Łódź", null, "90-001", "Poland"],
  ["San José", "CA", "95112", "United States"],
  ["Saint Paul", "Minnesota", "55101-1234", "USA"],
  ["London", null, "SW1A 1AA", "United Kingdom"],
  ["東京", "東京都", "100-0001", "Japan"],
  ["القاهرة", null, "11511", "Egypt"],
  ["תל אביב", null, "6100000", "Israel"],
  ["Llanfairpwllgwyngyll", "Anglesey", "LL61 5UJ", "Wales"],
  ["Paris", null, "75001", "France"],
  ["Göteborg", null, "411 03", "Sverige"],
] as const;

export const STREETS = [
  "Main Street",
  "Hauptstraße",
  "Rue de l'Église",
  "Via Roma",
  "Calle Mayor",
  "Industrieweg",
  "中央通り",
  "شارع النيل",
] as const;

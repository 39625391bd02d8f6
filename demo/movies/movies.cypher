// The films and people that Neo4j's own example "Movies" made known, as facts: 38 films, 133 people. NOTICE says where they come
// from. A line is a film: its title, its year, who acted in which role, who directed, produced and wrote it.
UNWIND [
['The Matrix', 1999, ['Keanu Reeves: Neo', 'Carrie-Anne Moss: Trinity', 'Laurence Fishburne: Morpheus', 'Hugo Weaving: Agent Smith', 'Emil Eifrem: Emil'], ['Lana Wachowski', 'Lilly Wachowski'], ['Joel Silver'], []],
['The Matrix Reloaded', 2003, ['Keanu Reeves: Neo', 'Carrie-Anne Moss: Trinity', 'Laurence Fishburne: Morpheus', 'Hugo Weaving: Agent Smith'], ['Lana Wachowski', 'Lilly Wachowski'], ['Joel Silver'], []],
['The Matrix Revolutions', 2003, ['Keanu Reeves: Neo', 'Carrie-Anne Moss: Trinity', 'Laurence Fishburne: Morpheus', 'Hugo Weaving: Agent Smith'], ['Lana Wachowski', 'Lilly Wachowski'], ['Joel Silver'], []],
["The Devil's Advocate", 1997, ['Keanu Reeves: Kevin Lomax', 'Charlize Theron: Mary Ann Lomax', 'Al Pacino: John Milton'], ['Taylor Hackford'], [], []],
['A Few Good Men', 1992, ['Tom Cruise: Daniel Kaffee', 'Jack Nicholson: Nathan Jessup', 'Demi Moore: JoAnne Galloway', 'Kevin Bacon: Jack Ross', 'Kiefer Sutherland: Jonathan Kendrick', 'Noah Wyle: Jeffrey Barnes', 'Cuba Gooding Jr.: Carl Hammaker', 'Kevin Pollak: Sam Weinberg', 'J.T. Walsh: Matthew Markinson', 'James Marshall: Louden Downey', 'Christopher Guest: Dr. Stone', 'Aaron Sorkin: Man in bar'], ['Rob Reiner'], [], ['Aaron Sorkin']],
['Top Gun', 1986, ['Tom Cruise: Maverick', 'Kelly McGillis: Charlie', 'Val Kilmer: Iceman', 'Anthony Edwards: Goose', 'Tom Skerritt: Viper', 'Meg Ryan: Carole'], ['Tony Scott'], [], ['Jim Cash']],
['Jerry Maguire', 2000, ['Tom Cruise: Jerry Maguire', 'Cuba Gooding Jr.: Rod Tidwell', 'Renee Zellweger: Dorothy Boyd', 'Kelly Preston: Avery Bishop', "Jerry O'Connell: Frank Cushman", 'Jay Mohr: Bob Sugar', 'Bonnie Hunt: Laurel Boyd', 'Regina King: Marcee Tidwell', 'Jonathan Lipnicki: Ray Boyd'], ['Cameron Crowe'], ['Cameron Crowe'], ['Cameron Crowe']],
['Stand By Me', 1986, ['Wil Wheaton: Gordie Lachance', 'River Phoenix: Chris Chambers', "Jerry O'Connell: Vern Tessio", 'Corey Feldman: Teddy Duchamp', 'John Cusack: Denny Lachance', 'Kiefer Sutherland: Ace Merrill', 'Marshall Bell: Mr. Lachance'], ['Rob Reiner'], [], []],
['As Good as It Gets', 1997, ['Jack Nicholson: Melvin Udall', 'Helen Hunt: Carol Connelly', 'Greg Kinnear: Simon Bishop', 'Cuba Gooding Jr.: Frank Sachs'], ['James L. Brooks'], [], []],
['What Dreams May Come', 1998, ['Robin Williams: Chris Nielsen', 'Cuba Gooding Jr.: Albert Lewis', 'Annabella Sciorra: Annie Collins-Nielsen', 'Max von Sydow: The Tracker', 'Werner Herzog: The Face'], ['Vincent Ward'], [], []],
['Snow Falling on Cedars', 1999, ['Ethan Hawke: Ishmael Chambers', 'Rick Yune: Kazuo Miyamoto', 'Max von Sydow: Nels Gudmundsson', 'James Cromwell: Judge Fielding'], ['Scott Hicks'], [], []],
["You've Got Mail", 1998, ['Tom Hanks: Joe Fox', 'Meg Ryan: Kathleen Kelly', 'Greg Kinnear: Frank Navasky', 'Parker Posey: Patricia Eden', 'Dave Chappelle: Kevin Jackson', 'Steve Zahn: George Pappas'], ['Nora Ephron'], [], []],
['Sleepless in Seattle', 1993, ['Tom Hanks: Sam Baldwin', 'Meg Ryan: Annie Reed', 'Rita Wilson: Suzy', 'Bill Pullman: Walter', 'Victor Garber: Greg', "Rosie O'Donnell: Becky"], ['Nora Ephron'], [], []],
['Joe Versus the Volcano', 1990, ['Tom Hanks: Joe Banks', 'Meg Ryan: DeDe', 'Nathan Lane: Baw'], ['John Patrick Stanley'], [], []],
['When Harry Met Sally', 1998, ['Billy Crystal: Harry Burns', 'Meg Ryan: Sally Albright', 'Carrie Fisher: Marie', 'Bruno Kirby: Jess'], ['Rob Reiner'], ['Rob Reiner', 'Nora Ephron'], ['Nora Ephron']],
['That Thing You Do', 1996, ['Tom Hanks: Mr. White', 'Liv Tyler: Faye Dolan', 'Charlize Theron: Tina'], ['Tom Hanks'], [], []],
['The Replacements', 2000, ['Keanu Reeves: Shane Falco', 'Brooke Langton: Annabelle Farrell', 'Gene Hackman: Jimmy McGinty', 'Orlando Jones: Clifford Franklin'], ['Howard Deutch'], [], []],
['RescueDawn', 2006, ['Marshall Bell: Admiral', 'Christian Bale: Dieter Dengler', 'Zach Grenier: Squad leader', 'Steve Zahn: Duane'], ['Werner Herzog'], [], []],
['The Birdcage', 1996, ['Robin Williams: Armand Goldman', 'Nathan Lane: Albert Goldman', 'Gene Hackman: Kevin Keeley'], ['Mike Nichols'], [], []],
['Unforgiven', 1992, ['Richard Harris: English Bob', 'Clint Eastwood: Bill Munny', 'Gene Hackman: Little Bill Daggett'], ['Clint Eastwood'], [], []],
['Johnny Mnemonic', 1995, ['Keanu Reeves: Johnny Mnemonic', 'Takeshi Kitano: Takahashi', 'Dina Meyer: Jane', 'Ice-T: J-Bone'], ['Robert Longo'], [], []],
['Cloud Atlas', 2012, ['Tom Hanks: Zachry', 'Hugo Weaving: Bill Smoke', 'Halle Berry: Luisa Rey', 'Jim Broadbent: Vyvyan Ayrs'], ['Tom Tykwer', 'Lana Wachowski', 'Lilly Wachowski'], ['Stefan Arndt'], ['David Mitchell']],
['The Da Vinci Code', 2006, ['Tom Hanks: Robert Langdon', 'Ian McKellen: Leigh Teabing', 'Audrey Tautou: Sophie Neveu', 'Paul Bettany: Silas'], ['Ron Howard'], [], []],
['V for Vendetta', 2006, ['Hugo Weaving: V', 'Natalie Portman: Evey Hammond', 'Stephen Rea: Eric Finch', 'John Hurt: Adam Sutler', 'Ben Miles: Dascomb'], ['James Marshall'], ['Lana Wachowski', 'Lilly Wachowski', 'Joel Silver'], ['Lana Wachowski', 'Lilly Wachowski']],
['Speed Racer', 2008, ['Emile Hirsch: Speed Racer', 'John Goodman: Pops', 'Susan Sarandon: Mom', 'Matthew Fox: Racer X', 'Christina Ricci: Trixie', 'Rain: Taejo Togokahn', 'Ben Miles: Cass Jones'], ['Lana Wachowski', 'Lilly Wachowski'], ['Joel Silver'], ['Lana Wachowski', 'Lilly Wachowski']],
['Ninja Assassin', 2009, ['Rain: Raizo', 'Naomie Harris: Mika Coretti', 'Rick Yune: Takeshi', 'Ben Miles: Ryan Maslow'], ['James Marshall'], ['Lana Wachowski', 'Lilly Wachowski', 'Joel Silver'], []],
['The Green Mile', 1999, ['Tom Hanks: Paul Edgecomb', 'Michael Clarke Duncan: John Coffey', 'David Morse: Brutus Howell', 'Bonnie Hunt: Jan Edgecomb', 'James Cromwell: Hal Moores', 'Sam Rockwell: Wild Bill Wharton', 'Gary Sinise: Burt Hammersmith', 'Patricia Clarkson: Melinda Moores'], ['Frank Darabont'], [], []],
['Frost/Nixon', 2008, ['Frank Langella: Richard Nixon', 'Michael Sheen: David Frost', 'Kevin Bacon: Jack Brennan', 'Oliver Platt: Bob Zelnick', 'Sam Rockwell: James Reston'], ['Ron Howard'], [], []],
['Hoffa', 1992, ['Jack Nicholson: Jimmy Hoffa', 'Danny DeVito: Bobby Ciaro', 'J.T. Walsh: Frank Fitzsimmons', 'John C. Reilly: Pete Connelly'], ['Danny DeVito'], [], []],
['Apollo 13', 1995, ['Tom Hanks: Jim Lovell', 'Kevin Bacon: Jack Swigert', 'Ed Harris: Gene Kranz', 'Bill Paxton: Fred Haise', 'Gary Sinise: Ken Mattingly'], ['Ron Howard'], [], []],
['Twister', 1996, ['Bill Paxton: Bill Harding', 'Helen Hunt: Jo Harding', 'Zach Grenier: Eddie', 'Philip Seymour Hoffman: Dusty Davis'], ['Jan de Bont'], [], []],
['Cast Away', 2000, ['Tom Hanks: Chuck Noland', 'Helen Hunt: Kelly Frears'], ['Robert Zemeckis'], [], []],
["One Flew Over the Cuckoo's Nest", 1975, ['Jack Nicholson: Randle McMurphy', 'Danny DeVito: Martini'], ['Milos Forman'], [], []],
["Something's Gotta Give", 2003, ['Jack Nicholson: Harry Sanborn', 'Diane Keaton: Erica Barry', 'Keanu Reeves: Julian Mercer'], ['Nancy Meyers'], ['Nancy Meyers'], ['Nancy Meyers']],
['Bicentennial Man', 1999, ['Robin Williams: Andrew Martin', 'Oliver Platt: Rupert Burns'], ['Chris Columbus'], [], []],
["Charlie Wilson's War", 2007, ['Tom Hanks: Charlie Wilson', 'Julia Roberts: Joanne Herring', 'Philip Seymour Hoffman: Gust Avrakotos'], ['Mike Nichols'], [], []],
['The Polar Express', 2004, ['Tom Hanks: Conductor'], ['Robert Zemeckis'], [], []],
['A League of Their Own', 1992, ['Tom Hanks: Jimmy Dugan', 'Geena Davis: Dottie Hinson', 'Lori Petty: Kit Keller', "Rosie O'Donnell: Doris Murphy", 'Madonna: Mae Mordabito', 'Bill Paxton: Bob Hinson'], ['Penny Marshall'], [], []]
] AS film
CREATE (m:Movie {title: film[0], released: film[1]})
FOREACH (cast IN [c IN film[2] | split(c, ': ')] | MERGE (p:Person {name: cast[0]}) CREATE (p)-[:ACTED_IN {roles: [cast[1]]}]->(m))
FOREACH (name IN film[3] | MERGE (p:Person {name: name}) CREATE (p)-[:DIRECTED]->(m))
FOREACH (name IN film[4] | MERGE (p:Person {name: name}) CREATE (p)-[:PRODUCED]->(m))
FOREACH (name IN film[5] | MERGE (p:Person {name: name}) CREATE (p)-[:WROTE]->(m));

UNWIND [['James Thompson', 'Jessica Thompson'], ['Angela Scope', 'Jessica Thompson'], ['Paul Blythe', 'Angela Scope']] AS pair
MERGE (a:Person {name: pair[0]}) MERGE (b:Person {name: pair[1]}) CREATE (a)-[:FOLLOWS]->(b);

UNWIND [
['Jessica Thompson', 'Cloud Atlas', 95], ['Jessica Thompson', 'The Replacements', 65], ['James Thompson', 'The Replacements', 100],
['Angela Scope', 'The Replacements', 62], ['Jessica Thompson', 'Unforgiven', 85], ['Jessica Thompson', 'The Birdcage', 45],
['Jessica Thompson', 'The Da Vinci Code', 68], ['James Thompson', 'The Da Vinci Code', 65], ['Jessica Thompson', 'Jerry Maguire', 92]
] AS review
MATCH (p:Person {name: review[0]}), (m:Movie {title: review[1]}) CREATE (p)-[:REVIEWED {rating: review[2]}]->(m);

UNWIND [
['Keanu Reeves', 1964], ['Carrie-Anne Moss', 1967], ['Laurence Fishburne', 1961], ['Hugo Weaving', 1960], ['Lilly Wachowski', 1967],
['Lana Wachowski', 1965], ['Joel Silver', 1952], ['Emil Eifrem', 1978], ['Charlize Theron', 1975], ['Al Pacino', 1940],
['Taylor Hackford', 1944], ['Tom Cruise', 1962], ['Jack Nicholson', 1937], ['Demi Moore', 1962], ['Kevin Bacon', 1958],
['Kiefer Sutherland', 1966], ['Noah Wyle', 1971], ['Cuba Gooding Jr.', 1968], ['Kevin Pollak', 1957], ['J.T. Walsh', 1943],
['James Marshall', 1967], ['Christopher Guest', 1948], ['Rob Reiner', 1947], ['Aaron Sorkin', 1961], ['Kelly McGillis', 1957],
['Val Kilmer', 1959], ['Anthony Edwards', 1962], ['Tom Skerritt', 1933], ['Meg Ryan', 1961], ['Tony Scott', 1944], ['Jim Cash', 1941],
['Renee Zellweger', 1969], ['Kelly Preston', 1962], ["Jerry O'Connell", 1974], ['Jay Mohr', 1970], ['Bonnie Hunt', 1961],
['Regina King', 1971], ['Jonathan Lipnicki', 1996], ['Cameron Crowe', 1957], ['River Phoenix', 1970], ['Corey Feldman', 1971],
['Wil Wheaton', 1972], ['John Cusack', 1966], ['Marshall Bell', 1942], ['Helen Hunt', 1963], ['Greg Kinnear', 1963],
['James L. Brooks', 1940], ['Annabella Sciorra', 1960], ['Max von Sydow', 1929], ['Werner Herzog', 1942], ['Robin Williams', 1951],
['Vincent Ward', 1956], ['Ethan Hawke', 1970], ['Rick Yune', 1971], ['James Cromwell', 1940], ['Scott Hicks', 1953],
['Parker Posey', 1968], ['Dave Chappelle', 1973], ['Steve Zahn', 1967], ['Tom Hanks', 1956], ['Nora Ephron', 1941],
['Rita Wilson', 1956], ['Bill Pullman', 1953], ['Victor Garber', 1949], ["Rosie O'Donnell", 1962], ['John Patrick Stanley', 1950],
['Nathan Lane', 1956], ['Billy Crystal', 1948], ['Carrie Fisher', 1956], ['Bruno Kirby', 1949], ['Liv Tyler', 1977],
['Brooke Langton', 1970], ['Gene Hackman', 1930], ['Orlando Jones', 1968], ['Howard Deutch', 1950], ['Christian Bale', 1974],
['Zach Grenier', 1954], ['Mike Nichols', 1931], ['Richard Harris', 1930], ['Clint Eastwood', 1930], ['Takeshi Kitano', 1947],
['Dina Meyer', 1968], ['Ice-T', 1958], ['Robert Longo', 1953], ['Halle Berry', 1966], ['Jim Broadbent', 1949], ['Tom Tykwer', 1965],
['David Mitchell', 1969], ['Stefan Arndt', 1961], ['Ian McKellen', 1939], ['Audrey Tautou', 1976], ['Paul Bettany', 1971],
['Ron Howard', 1954], ['Natalie Portman', 1981], ['Stephen Rea', 1946], ['John Hurt', 1940], ['Ben Miles', 1967],
['Emile Hirsch', 1985], ['John Goodman', 1952], ['Susan Sarandon', 1946], ['Matthew Fox', 1966], ['Christina Ricci', 1980],
['Rain', 1982], ['Michael Clarke Duncan', 1957], ['David Morse', 1953], ['Sam Rockwell', 1968], ['Gary Sinise', 1955],
['Patricia Clarkson', 1959], ['Frank Darabont', 1959], ['Frank Langella', 1938], ['Michael Sheen', 1969], ['Oliver Platt', 1960],
['Danny DeVito', 1944], ['John C. Reilly', 1965], ['Ed Harris', 1950], ['Bill Paxton', 1955], ['Philip Seymour Hoffman', 1967],
['Jan de Bont', 1943], ['Robert Zemeckis', 1951], ['Milos Forman', 1932], ['Diane Keaton', 1946], ['Nancy Meyers', 1949],
['Chris Columbus', 1958], ['Julia Roberts', 1967], ['Madonna', 1958], ['Geena Davis', 1956], ['Lori Petty', 1963],
['Penny Marshall', 1943]
] AS row
MATCH (p:Person {name: row[0]}) SET p.born = row[1];
